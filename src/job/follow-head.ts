import { applyPatch } from "../checkout/apply-patch.ts";
import type { Patch } from "../checkout/patch.ts";
import { type Checkout, checkoutOfTree } from "../checkout/snapshot.ts";
import { headOf } from "../github/head-of.ts";
import type { GitHub } from "../github/octokit.ts";
import { type FrozenTest, frozenTest } from "../pull-request/reported.ts";
import type { TestCommand } from "../runner/test-command.ts";
import type { TraceRecord } from "../trace/event.ts";
import { prove, type Verdict } from "../verify/prove.ts";
import { type FetchPlace, fetchStart } from "./fetch-tree.ts";
import type { FixServices } from "./fix-services.ts";
import type { JobTrace } from "./job-trace.ts";
import { prepareSandbox } from "./prepare-sandbox.ts";
import type { Proven } from "./resume.ts";
import type { StartPoint } from "./start-point.ts";

export interface FollowOptions {
  /** Reads heads of branches. */
  readonly github: GitHub;
  readonly services: FixServices;
  /** Where the repair was proven. */
  readonly place: FetchPlace;
  readonly checkout: Checkout;
  readonly command: TestCommand;
  /** `setup:` of the default branch's configuration. */
  readonly setup: readonly string[] | undefined;
  readonly proven: Proven;
  readonly records: readonly TraceRecord[];
  readonly trace: JobTrace;
}

/** A repair of an issue that was proven again, at a newer head of the default branch. */
export interface Followed {
  readonly start: StartPoint;
  readonly checkout: Checkout;
  readonly proven: Proven;
}

/**
 * Proves a repair of an issue again at the present head of the default branch, which goes on while an issue is worked on. Null when the
 * files of the repair were changed there, or when the proof does not hold there: then it has to be looked for anew.
 */
export async function followHead(options: FollowOptions, signal: AbortSignal): Promise<Followed | null> {
  const { github, place, checkout, proven } = options;
  const { start } = place;
  const test = frozenTest(options.records);
  if (start.place.kind !== "issue" || test === null) return null;
  const sha = await headOf(github, start.repository, start.place.branch, signal);
  if (sha === null) return null;
  const moved = { ...start, sha };
  const now = await fetchStart({ ...place, start: moved }, signal);
  const { patch } = proven.repair;
  if (!patch.every(({ path }) => now.entries.get(path)?.blob === checkout.entries.get(path)?.blob)) return null;
  const verdict = await proveAt(now, options, { patch, test }, signal);
  if (verdict === null) return null;
  const { tree, greenRuns } = verdict;
  const diff = await now.store.diff(now.tree, tree, signal);
  return { start: moved, checkout: now, proven: { ...proven, repair: { ...proven.repair, tree, diff, greenRuns } } };
}

async function proveAt(
  now: Checkout,
  { services, place, command, setup, trace }: FollowOptions,
  { patch, test }: { readonly patch: Patch; readonly test: FrozenTest },
  signal: AbortSignal,
): Promise<Extract<Verdict, { kind: "accepted" }> | null> {
  const work = { services, job: place.job, run: trace.run, checkout: now, command, setup, isFork: false, trace };
  const prepared = await prepareSandbox(work, signal);
  if (prepared.kind === "failed") return null;
  const startSandbox = prepared.sandboxes.starter(prepared.layer);
  const added = patch.filter(({ path }) => path === test.path);
  const repair = patch.filter(({ path }) => path !== test.path);
  const checkout = await checkoutOfTree(now.store, await applyPatch(now.store, now.tree, added, signal), signal);
  const { testRunMs: timeoutMs } = services.limits;
  const target = { command, ids: test.ids };
  const verdict = await trace.stage("proof", () =>
    prove({ startSandbox, checkout, patch: repair, target, timeoutMs, trace }, signal),
  );
  return verdict.kind === "accepted" ? verdict : null;
}
