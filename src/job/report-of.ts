import type { Issue, IssueComment } from "../github/issue.ts";
import type { GitHub } from "../github/octokit.ts";
import { mayWrite } from "../github/permission.ts";
import type { Repository } from "../github/repository.ts";
import type { Report } from "../loop/issue-prompt.ts";
import { storable } from "./storable.ts";
import { visibleText } from "./visible-text.ts";

const titleChars = 300;
const bodyChars = 30_000;
const commentChars = 8_000;
/** Comments kept, and the people among their authors whose permission is asked for; the latest count. */
const commentsKept = 10;
const authorsAsked = 10;

/**
 * What the model may see of an issue: title and text, and the comments from before `askedAt` whose authors may write. Later ones, ones
 * that were changed later, and those of everybody else are left out.
 */
export async function reportOf(
  github: GitHub,
  repository: Repository,
  issue: Issue,
  askedAt: Date,
  signal: AbortSignal,
): Promise<Report> {
  const earlier = issue.comments.filter(
    ({ createdAt, editedAt }) => createdAt < askedAt && (editedAt === null || editedAt < askedAt),
  );
  const comments = await ofWriters(github, repository, earlier.toReversed(), signal);
  return {
    title: clean(issue.title, titleChars),
    body: clean(visibleText(issue.body), bodyChars),
    comments: comments
      .toReversed()
      .map(({ login, text }) => ({ login: clean(login, 100), text: clean(visibleText(text), commentChars) })),
  };
}

async function ofWriters(
  github: GitHub,
  repository: Repository,
  latestFirst: readonly IssueComment[],
  signal: AbortSignal,
): Promise<IssueComment[]> {
  const known = new Map<string, boolean>();
  const found: IssueComment[] = [];
  for (const comment of latestFirst) {
    const { login } = comment;
    if (!known.has(login)) {
      if (known.size === authorsAsked) continue;
      known.set(login, await mayWrite(github, repository, { id: null, login }, signal));
    }
    if (known.get(login) === true) found.push(comment);
    if (found.length === commentsKept) break;
  }
  return found;
}

function clean(text: string, chars: number): string {
  return storable(text.replace(/\r\n?/g, "\n"), chars).trim();
}
