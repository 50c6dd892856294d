import type { GitHub } from "../github/octokit.ts";
import type { FetchPlace } from "./fetch-tree.ts";
import { followHead } from "./follow-head.ts";
import type { JobTrace } from "./job-trace.ts";
import { type PublishRepairOptions, publishRepair } from "./publish-repair.ts";
import { asResume } from "./resume.ts";
import type { Ended } from "./words.ts";

export interface PublishAtHeadOptions extends PublishRepairOptions {
  /** Reads heads of branches. */
  readonly github: GitHub;
  readonly place: FetchPlace;
  /** `setup:` of the default branch's configuration. */
  readonly setup: readonly string[] | undefined;
  readonly trace: JobTrace;
}

/** Offers a proven repair. One of an issue is proven again when the default branch has gone on meanwhile, once. */
export async function publishAtHead(options: PublishAtHeadOptions, signal: AbortSignal): Promise<Ended> {
  const { active, start, trace, records } = options;
  const end = await publishRepair(options);
  if (end.outcome !== "stale" || start.place.kind !== "issue") return end;
  signal.throwIfAborted();
  const followed = await followHead(options, signal);
  if (followed === null) return end;
  await active.record({ sha: followed.start.sha, resume: asResume(followed.proven) });
  signal.throwIfAborted();
  const all = records === trace.records ? records : [...records, ...trace.records];
  return publishRepair({ ...options, ...followed, records: all });
}
