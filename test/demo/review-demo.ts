// One review, from a bot's signed delivery to the posted text: a bump that breaks a test, and a call that no test covers.

import { engineUnderTest } from "../docker/engine-under-test.ts";
import { botPullRequest, repaired, reviewChecks } from "../e2e/bot-pull-request.ts";
import { proposals } from "../e2e/expectations.ts";
import { eventually } from "../e2e/red-repository.ts";
import { startService } from "../e2e/run-serve.ts";
import { honestFixer } from "../model-server/policies/fixer.ts";
import { reviewer } from "../model-server/policies/reviewer.ts";
import { when } from "../model-server/policy.ts";
import { startRegistry } from "../registry/registry.ts";
import type { PullIssue } from "../twin/world/issue.ts";
import { reviewFindings, reviewRepair, reviewSteps, ticketsManifest, tinyDuration } from "./review-plan.ts";
import { filesOf } from "./stage.ts";

export interface ReviewDemoOptions {
  readonly environment: Readonly<Record<string, string>>;
  readonly say: (text: string) => void;
}

/** Plays the demo; true when a review was posted and its repair proposed. */
export async function reviewDemo({ environment, say }: ReviewDemoOptions): Promise<boolean> {
  const { engine } = await engineUnderTest();
  await using registry = await startRegistry({ engine, npm: tinyDuration });
  say("Registry: one of the demo's own, with tiny-duration 1.4.0 and 2.0.0.");
  await using service = await startService({ environment: { ...environment, ...registry.environment } });
  const isReview = (tools: unknown) => JSON.stringify(tools).includes("submit_review");
  const look = reviewer(reviewFindings, reviewSteps);
  service.think(when(({ request }) => isReview(request.tools), look, honestFixer(reviewRepair)));
  const side = (version: string) => {
    const whole = ticketsManifest(version);
    const lockfile = JSON.stringify(JSON.parse(registry.npm.lockfile(whole)), null, 2);
    return { "package.json": `${JSON.stringify(whole, null, 2)}\n`, "package-lock.json": `${lockfile}\n` };
  };
  const start = performance.now();
  const at = () => `${((performance.now() - start) / 1000).toFixed(1).padStart(6)} s  `;
  const title = "Bump tiny-duration from 1.4.0 to 2.0.0";
  const base = { ...filesOf("tickets"), ...side("1.4.0") };
  const opened = await botPullRequest(service.twin, {
    base,
    changes: side("2.0.0"),
    branch: "dependabot/npm_and_yarn/tiny-duration-2.0.0",
    title,
  });
  say(`\n=== Dependabot opens pull request #${opened.pull.number}: ${title} ===`);
  say(`${at()}signed delivery sent`);
  let last = "";
  const check = await eventually(
    "an end of the review",
    () => {
      const found = reviewChecks(service.twin, opened.repository, opened.sha)[0];
      if ((found?.output.title ?? "") !== last) say(`${at()}check "Autolith review": ${found?.output.title}`);
      last = found?.output.title ?? "";
      return found?.status === "completed" ? found : undefined;
    },
    600_000,
  );
  showReview(opened.pull, say);
  say(`\n--- The check run, ${check.conclusion}\n\n${check.output.summary}`);
  const repair = await repaired(service.twin, opened);
  const [proposal] = proposals(service.twin, opened.repository);
  say(`\n${at()}check "Autolith": ${repair.output.title}`);
  if (proposal !== undefined) {
    const { number, pull } = proposal;
    say(
      `Pull request #${number}: ${proposal.title}\n${pull.head.ref} into ${pull.base.ref}, the bot's branch, which has only the bot's commit.`,
    );
  }
  await service.stop();
  return opened.pull.pull.reviews.length === 1 && proposal !== undefined;
}

function showReview({ pull }: PullIssue, say: (text: string) => void): void {
  for (const review of pull.reviews) {
    say(`\n--- The review, ${review.state}, as a reader sees it\n\n${review.body}`);
    for (const comment of pull.reviewComments.filter(({ reviewId }) => reviewId === review.id)) {
      say(`\n--- Its comment on ${comment.path}:${comment.line}\n\n${comment.diffHunk}\n\n${comment.body}`);
    }
  }
}
