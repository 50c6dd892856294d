import { applyPatch } from "../checkout/apply-patch.ts";
import type { Patch } from "../checkout/patch.ts";
import { type Checkout, checkoutOfTree } from "../checkout/snapshot.ts";
import { describeRun } from "../runner/describe-run.ts";
import type { StartSandbox } from "../sandbox/sandbox.ts";
import type { Trace } from "../trace/recorder.ts";
import type { Proof } from "./proof.ts";
import { ProvingGround } from "./proving-ground.ts";
import { repeatGreen } from "./repeat-green.ts";
import { shuffledOrder } from "./shuffled-order.ts";
import { findRegressions, missingTests } from "./suite-comparison.ts";
import { greenIds, notGreen, type Target } from "./target.ts";

/** What the fresh container says about a patch. `refused` reasons are written for the model and for people. */
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

/**
 * Proves a patch in a container that nobody has worked in: red before, green after and again, nothing else broken, red when the
 * patch is taken back. The tree comes from the start commit plus the patch, never from the sandbox in which the model worked.
 */
export async function prove(options: ProveOptions, signal: AbortSignal): Promise<Verdict> {
  const { checkout, target } = options;
  const tree = await applyPatch(checkout.store, checkout.tree, options.patch, signal);
  const patched = await checkoutOfTree(checkout.store, tree, signal);
  await using sandbox = await options.startSandbox(signal);
  const ground = new ProvingGround({ ...options, command: target.command, sandbox, patched, label: "proof" }, signal);

  const before = await ground.unpatched("without the patch");
  const greenBefore = greenIds(before, target);
  if (greenBefore.length > 0) return flaky({}, `${listed(greenBefore)} passed without the patch in a fresh container`);

  const after = await ground.patched("with the patch");
  const red = notGreen(after, target);
  if (red.length > 0)
    return refused(
      {},
      `with the patch, in a fresh container, not green: ${listed(red)}`,
      describeRun(after, { ids: target.ids }),
    );

  const missing = missingTests(before, after);
  if (missing.length > 0)
    return refused({}, `tests that were collected without the patch are gone with it: ${listed(missing)}`);

  const regressions = await findRegressions(before, after, (select) => ground.again("newly red, again", { select }));
  if (regressions.length > 0) {
    const what = `these tests were in order before and are not with the patch: ${listed(regressions)}`;
    return refused({ greenAfter: true, regressions }, what, describeRun(after, { ids: regressions }));
  }

  const repeats = await repeatGreen({
    target,
    first: after,
    run: (purpose, runOptions) => ground.again(purpose, runOptions),
  });
  if (repeats.kind === "red") {
    return refused(
      {},
      `green once, then red in ${repeats.how}: ${listed(repeats.ids)}`,
      describeRun(repeats.run, { ids: target.ids }),
    );
  }

  const order = await shuffledOrder({
    target,
    before,
    runPatched: (shuffleSeed) => ground.patched(`order ${shuffleSeed}`, { shuffleSeed }),
    runUnpatched: (shuffleSeed) => ground.unpatched(`order ${shuffleSeed} without the patch`, { shuffleSeed }),
  });
  if (order.kind === "red") {
    const what = `not green when the suite runs in another order (seed ${order.seed}): ${listed(order.ids)}`;
    return refused({}, what, describeRun(order.run, { ids: order.ids }));
  }

  const reverted = await ground.unpatched("patch taken back", target.ids === null ? {} : { select: target.ids });
  const stillGreen = greenIds(reverted, target);
  if (stillGreen.length > 0)
    return flaky({ greenAfter: true }, `${listed(stillGreen)} stayed green when the patch was taken back`);
  return {
    kind: "accepted",
    proof: proof({ greenAfter: true, redOnRevert: true }),
    tree,
    greenRuns: repeats.greenRuns,
  };
}

/** Without saying otherwise: seen red before the patch, and no more. */
function proof(seen: Partial<Proof>): Proof {
  return { redBefore: true, greenAfter: false, redOnRevert: false, regressions: [], findings: [], ...seen };
}

function refused(seen: Partial<Proof>, reason: string, detail = ""): Verdict {
  return { kind: "refused", proof: proof(seen), reasons: [detail === "" ? reason : `${reason}\n${detail}`] };
}

function flaky(seen: Partial<Proof>, detail: string): Verdict {
  return { kind: "flaky", proof: proof({ redBefore: seen.greenAfter === true, ...seen }), detail };
}

function listed(ids: readonly string[]): string {
  const shown = ids.slice(0, 5).join(", ");
  return ids.length > 5 ? `${shown} and ${ids.length - 5} more` : shown;
}
