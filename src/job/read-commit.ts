import type { Checkout } from "../checkout/snapshot.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { gatherEvidence } from "../evidence/gather.ts";
import type { GitHub } from "../github/octokit.ts";
import { type FoundRepoConfig, fetchRepoConfig } from "../github/repo-config.ts";
import type { Trace } from "../trace/recorder.ts";
import { type FetchPlace, fetchStart } from "./fetch-tree.ts";
import type { FixServices } from "./fix-services.ts";

/** What is known of a commit before anything is run. */
export interface KnownCommit extends FoundRepoConfig {
  readonly checkout: Checkout;
  readonly evidence: Evidence;
}

/** An issue is not about a check. */
const noEvidence: Evidence = { checks: [] };

/** Reads a commit's tree, what CI says of it, and the repository's configuration. */
export async function readCommit(
  place: FetchPlace,
  github: GitHub,
  { appId, apiUrl, logWaitsMs }: FixServices,
  trace: Trace,
  signal: AbortSignal,
): Promise<KnownCommit> {
  const { repository, sha } = place.start;
  const from = { github, repository, sha, appId, apiUrl, ...(logWaitsMs && { logWaitsMs }) };
  const isReported = place.start.place.kind === "issue";
  const [checkout, evidence, found] = await Promise.all([
    trace.stage("checkout", () => fetchStart(place, signal)),
    isReported ? noEvidence : gatherEvidence(from, signal),
    fetchRepoConfig(github, repository, signal),
  ]);
  return { checkout, evidence, ...found };
}
