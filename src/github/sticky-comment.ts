import { type GitHub, once } from "./octokit.ts";
import { rateLimitedUntil } from "./rate-limit.ts";
import { named, type Repository } from "./repository.ts";

/** Stands in the first line of the one comment that Autolith keeps on an issue or a pull request. */
const marker = "<!-- autolith:status -->";

/**
 * Writes the one comment of the App on an issue or pull request: updates it when it is there, makes it otherwise. It is known by its marker
 * and by the App that wrote it, since anybody can paste a marker. Gives its id; null where no comment can be written any more, since the
 * conversation was locked, deleted or moved.
 */
export async function writeStickyComment(
  github: GitHub,
  repository: Repository,
  comment: { readonly issue: number; readonly appId: number; readonly text: string },
  signal: AbortSignal,
): Promise<number | null> {
  try {
    return await writeOne(github, repository, comment, signal);
  } catch (error) {
    if (isSilenced(error)) return null;
    throw error;
  }
}

async function writeOne(
  github: GitHub,
  repository: Repository,
  comment: { readonly issue: number; readonly appId: number; readonly text: string },
  signal: AbortSignal,
): Promise<number> {
  const body = `${marker}\n${comment.text}`;
  const found = await findStickyComment(github, repository, comment, signal);
  if (found === null) {
    const { data } = await github.rest.issues.createComment({
      ...named(repository),
      issue_number: comment.issue,
      body,
      request: { signal, ...once },
    });
    return data.id;
  }
  if (found.body !== body) {
    await github.rest.issues.updateComment({ ...named(repository), comment_id: found.id, body, request: { signal } });
  }
  return found.id;
}

/** What GitHub answers where nobody may speak any more; a rate limit looks alike at first. */
function isSilenced(error: unknown): boolean {
  const status = error instanceof Error && "status" in error ? error.status : null;
  return (status === 403 || status === 404 || status === 410) && rateLimitedUntil(error, new Date()) === null;
}

/** Writes the comment of a known id: for frequent updates, without looking for it. Rejects when somebody deleted it. */
export async function updateStickyComment(
  github: GitHub,
  repository: Repository,
  comment: { readonly id: number; readonly text: string },
  signal: AbortSignal,
): Promise<void> {
  const body = `${marker}\n${comment.text}`;
  await github.rest.issues.updateComment({ ...named(repository), comment_id: comment.id, body, request: { signal } });
}

async function findStickyComment(
  github: GitHub,
  repository: Repository,
  { issue, appId }: { readonly issue: number; readonly appId: number },
  signal: AbortSignal,
): Promise<{ id: number; body: string } | null> {
  const pages = github.paginate.iterator(github.rest.issues.listComments, {
    ...named(repository),
    issue_number: issue,
    per_page: 100,
    request: { signal },
  });
  for await (const { data } of pages) {
    const own = data.find((each) => each.performed_via_github_app?.id === appId && each.body?.startsWith(marker));
    if (own !== undefined) return { id: own.id, body: own.body ?? "" };
  }
  return null;
}
