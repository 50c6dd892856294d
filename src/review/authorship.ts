import type { ReviewedBot } from "../config/review-settings.ts";
import type { PullCommit } from "../github/pull-commits.ts";

/** GitHub itself, which commits and signs what is made through its pages and its API; the id is that of github.com. */
const webFlow = 19_864_447;

/**
 * Whether a bot wrote every commit of a pull request. Author and committer are held against its id, and the signature has to be good:
 * anybody can put the bot's address into a commit, and sign it with a key of their own. A merge of another branch is no commit of it.
 */
export function isAllBy(bot: ReviewedBot, commits: readonly PullCommit[] | null): boolean {
  if (commits === null || commits.length === 0) return false;
  return commits.every(
    ({ authorId, committerId, verified }) =>
      authorId === bot.id && (committerId === bot.id || committerId === webFlow) && (verified || !bot.signed),
  );
}
