import type { Checkout } from "../checkout/snapshot.ts";
import { failureSignature } from "../runner/failure-signature.ts";
import { runTests } from "../runner/run-tests.ts";
import type { SandboxSession } from "../sandbox/sandbox.ts";
import type { Trace } from "../trace/recorder.ts";
import { recordTestRun } from "../verify/record-test-run.ts";
import { greenIds, isRed } from "../verify/target.ts";
import type { Red } from "./fix.ts";
import type { Outcome } from "./outcome.ts";

export interface BaseCheck {
  readonly base: Checkout;
  readonly branch: string;
  readonly session: SandboxSession;
  readonly red: Red;
  readonly trace: Trace;
}

/**
 * Whether the target fails alike at the head of the base branch: then the pull request did not break it. Null when any of the
 * target's tests passes there.
 */
export async function redOnBase(check: BaseCheck, signal: AbortSignal): Promise<Outcome | null> {
  const { base, branch, session, red, trace } = check;
  const { target, timeoutMs } = red;
  await session.put(base.files(), { reset: true }, signal);
  const select = target.ids === null ? {} : { select: target.ids };
  const run = await runTests(session, target.command, { timeoutMs, ...select }, signal);
  recordTestRun(trace, "triage: base branch", run);
  if (!isRed(run) || greenIds(run, target).length > 0) return null;
  // A pull request that tries to repair a red test and breaks it in another way has a failure of its own.
  if (failureSignature(run) !== failureSignature(red.run)) return null;
  const what =
    target.ids === null ? "the command fails" : `${target.ids.length === 1 ? "the test fails" : "the same tests fail"}`;
  return { kind: "red-on-base", reason: `${what} at the head of ${branch} as well, so this branch did not break it` };
}
