import type { GitHub } from "./octokit.ts";
import { named, type Repository } from "./repository.ts";

/** Puts a reaction on a comment; one that is there already stays as it is. */
export async function react(
  github: GitHub,
  repository: Repository,
  reaction: { readonly commentId: number; readonly content: "eyes" | "confused" },
  signal: AbortSignal,
): Promise<void> {
  await github.rest.reactions.createForIssueComment({
    ...named(repository),
    comment_id: reaction.commentId,
    content: reaction.content,
    request: { signal },
  });
}
