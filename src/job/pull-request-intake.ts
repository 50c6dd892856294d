import { reviewSettings } from "../config/review-settings.ts";
import { pullCommits } from "../github/pull-commits.ts";
import { fetchRepoConfig } from "../github/repo-config.ts";
import { findRepository } from "../github/repository.ts";
import { isAllBy } from "../review/authorship.ts";
import type { IntakeServices } from "./command-intake.ts";
import type { Intake } from "./intake.ts";
import { reachOf } from "./reach-of.ts";

export type PullRequestIntake = Extract<Intake, { kind: "pull-request" }>;

/**
 * Queues a review when a bot from the repository's list opened the pull request and wrote all of it. Otherwise it is one like any other:
 * an author who is only called like the bot, or a person's commit on top.
 */
export async function takePullRequest(
  intake: PullRequestIntake,
  services: IntakeServices,
  signal: AbortSignal,
): Promise<void> {
  const { installationId, number, sha, shaSeenAt, subject, author } = intake;
  const github = await services.access.client(reachOf(intake), "evidence", signal);
  const repository = await findRepository(github, intake.repository.id, signal);
  const { config } = await fetchRepoConfig(github, repository, signal);
  const bot = reviewSettings(config).bots.find(({ id }) => id === author.id);
  if (bot === undefined) return;
  const commits = await pullCommits(github, repository, number, signal);
  // What was pushed since has an event of its own.
  if (commits?.at(-1)?.sha !== sha || !isAllBy(bot, commits)) return;
  await services.apply({
    kind: "review",
    job: {
      kind: "review",
      ...{ installationId, repository: intake.repository, subject, sha, shaSeenAt, bot: author },
      causes: [{ kind: "pull-request", number }],
    },
  });
}
