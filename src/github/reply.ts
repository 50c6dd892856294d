import { type GitHub, once } from "./octokit.ts";
import { named, type Repository } from "./repository.ts";

export interface Reply {
  readonly issue: number;
  readonly appId: number;
  /** The comment that is answered. */
  readonly commentId: number;
  readonly createdAt: string;
  readonly text: string;
}

/** Answers a comment once: the same answer given again, after a crash or an unclear failure, is found and left alone. */
export async function replyOnce(
  github: GitHub,
  repository: Repository,
  reply: Reply,
  signal: AbortSignal,
): Promise<void> {
  const marker = `<!-- autolith:reply=${reply.commentId} -->`;
  const pages = github.paginate.iterator(github.rest.issues.listComments, {
    ...named(repository),
    issue_number: reply.issue,
    since: reply.createdAt,
    per_page: 100,
    request: { signal },
  });
  for await (const { data } of pages) {
    if (data.some((each) => each.performed_via_github_app?.id === reply.appId && each.body?.startsWith(marker))) return;
  }
  const body = `${marker}\n${reply.text}`;
  await github.rest.issues.createComment({
    ...named(repository),
    issue_number: reply.issue,
    body,
    request: { signal, ...once },
  });
}
