import { applyPatch } from "../checkout/apply-patch.ts";
import type { Patch } from "../checkout/patch.ts";
import { type Checkout, checkoutOfTree } from "../checkout/snapshot.ts";
import { describeRun } from "../runner/describe-run.ts";
import type { TestRun } from "../runner/report.ts";
import { type RunTestsOptions, runTests } from "../runner/run-tests.ts";
import type { Sandbox, StartSandbox } from "../sandbox/sandbox.ts";
import type { Trace } from "../trace/recorder.ts";
import type { Proof } from "./proof.ts";
import { recordTestRun } from "./record-test-run.ts";
import { repeatGreen } from "./repeat-green.ts";
import { findRegressions, missingTests } from "./suite-comparison.ts";
import { isRed, notGreen, redIds, type Target } from "./target.ts";

/** What the fresh container says about a patch. `refused` reasons are written for the model and for people, one line each. */
export type Verdict =
  | { readonly kind: "accepted"; readonly proof: Proof; readonly tree: string; readonly greenRuns: number }
  | { readonly kind: "refused"; readonly proof: Proof; readonly reasons: readonly string[] }
  | { readonly kind: "flaky"; readonly proof: Proof; readonly detail: string };

export interface ProveOptions {
  readonly startSandbox: StartSandbox;
  readonly checkout: Checkout;
  readonly patch: Patch;
  readonly target: Target;
  /** Limit of one test run, in milliseconds. */
  readonly timeoutMs: number;
  readonly trace: Trace;
}

const unproven: Proof = { redBefore: false, greenAfter: false, redOnRevert: false, regressions: [], findings: [] };

/**
 * Proves a patch in a container that nobody has worked in: red before, green after and again, nothing else broken, red when the
 * patch is taken back. The tree comes from the start commit plus the patch, never from the sandbox in which the model worked.
 */
export async function prove(options: ProveOptions, signal: AbortSignal): Promise<Verdict> {
  const { checkout, target, trace } = options;
  const tree = await applyPatch(checkout.store, checkout.tree, options.patch, signal);
  const patched = await checkoutOfTree(checkout.store, tree, signal);
  await using sandbox = await options.startSandbox(signal);

  async function run(purpose: string, runOptions: Partial<RunTestsOptions> = {}): Promise<TestRun> {
    const result = await runTests(sandbox, target.command, { timeoutMs: options.timeoutMs, ...runOptions }, signal);
    recordTestRun(trace, `proof: ${purpose}`, result);
    return result;
  }

  await fill(sandbox, checkout, signal);
  const before = await run("without the patch");
  if (!isRedAsTriaged(before, target)) {
    return {
      kind: "flaky",
      proof: unproven,
      detail: `${listed(greenNow(before, target))} passed without the patch in a fresh container`,
    };
  }

  await fill(sandbox, patched, signal);
  const after = await run("with the patch");
  const red = notGreen(after, target);
  if (red.length > 0) {
    return refused({ redBefore: true }, [
      `with the patch, in a fresh container, not green: ${listed(red)}\n${describeRun(after, { ids: target.ids })}`,
    ]);
  }
  const missing = missingTests(before, after);
  if (missing.length > 0) {
    return refused({ redBefore: true }, [
      `tests that were collected without the patch are gone with it: ${listed(missing)}`,
    ]);
  }
  const regressions = await findRegressions(before, after, (ids) => run("regression again", { select: ids }));
  if (regressions.length > 0) {
    const text = describeRun(after, { ids: regressions });
    return refused({ redBefore: true, regressions }, [
      `these tests passed before and fail with the patch: ${listed(regressions)}\n${text}`,
    ]);
  }
  const repeats = await repeatGreen({ target, first: after, run });
  if (repeats.kind === "red") {
    return refused({ redBefore: true }, [
      `green once, then red in ${repeats.how}: ${listed(repeats.ids)}\n${describeRun(repeats.run, { ids: target.ids })}`,
    ]);
  }

  await fill(sandbox, checkout, signal);
  const reverted = await run("patch taken back", selecting(target));
  if (!isRedAsTriaged(reverted, target)) {
    return {
      kind: "flaky",
      proof: { ...unproven, redBefore: true, greenAfter: true },
      detail: `${listed(greenNow(reverted, target))} stayed green when the patch was taken back`,
    };
  }
  const proof: Proof = { ...unproven, redBefore: true, greenAfter: true, redOnRevert: true };
  return { kind: "accepted", proof, tree, greenRuns: repeats.greenRuns };
}

function fill(sandbox: Sandbox, checkout: Checkout, signal: AbortSignal): Promise<void> {
  return sandbox.put(checkout.files(), { reset: true }, signal);
}

function refused(seen: Partial<Proof>, reasons: readonly string[]): Verdict {
  return { kind: "refused", proof: { ...unproven, ...seen }, reasons };
}

function selecting(target: Target): Partial<RunTestsOptions> {
  return target.ids === null ? {} : { select: target.ids };
}

/** Every target id must be red again, not only some: a target that is half green without the patch is flaky. */
function isRedAsTriaged(run: TestRun, target: Target): boolean {
  return isRed(run) && greenNow(run, target).length === 0;
}

function greenNow(run: TestRun, target: Target): string[] {
  if (target.ids === null) return isRed(run) ? [] : [target.command.shell];
  const red = new Set([...redIds(run), ...(run.result.status === "timeout" ? target.ids : [])]);
  return target.ids.filter((id) => !red.has(id));
}

function listed(ids: readonly string[]): string {
  const shown = ids.slice(0, 5).join(", ");
  return ids.length > 5 ? `${shown} and ${ids.length - 5} more` : shown;
}
