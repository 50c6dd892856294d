import type { Checkout } from "../checkout/snapshot.ts";
import { messageOf, ModelError, SandboxError } from "../errors.ts";
import { type Claims, type LoopEnd, runLoop } from "../loop/loop.ts";
import type { Workspace } from "../loop/tool/tool.ts";
import type { Budget } from "../model/budget.ts";
import type { Model } from "../model/model.ts";
import type { TestCommand } from "../runner/test-command.ts";
import type { StartSandbox } from "../sandbox/sandbox.ts";
import type { Trace } from "../trace/recorder.ts";
import { prove } from "../verify/prove.ts";
import { type Triage, triage } from "../verify/triage.ts";
import { testFilesOf } from "./test-files.ts";
import type { FixResult, Outcome } from "./outcome.ts";
import { outcomeOfLoop, outcomeOfTriage } from "./outcome-of.ts";

export interface FixOptions {
  readonly checkout: Checkout;
  readonly command: TestCommand;
  readonly startSandbox: StartSandbox;
  readonly model: Model;
  readonly budget: Budget;
  readonly trace: Trace;
  /** Limit of one test run, in milliseconds. */
  readonly testRunMs: number;
  /** Limit of one execution or shell command, in milliseconds. */
  readonly executionMs: number;
}

/**
 * Repairs one checkout: reproduce, loop, prove. Ends in an outcome whatever the repository, the model or the sandbox does; rejects
 * only for bugs. An abort of the signal ends as `cancelled`, the end of the wall time as `exhausted`.
 */
export async function fix(options: FixOptions, signal: AbortSignal): Promise<FixResult> {
  const start = performance.now();
  const deadline = AbortSignal.timeout(options.budget.remainingMs);
  const claims: Claims = { proof: null, refusals: 0 };
  const outcome = await settle(options, claims, signal, deadline);
  const spend = options.budget.spend;
  const durationMs = performance.now() - start;
  const { iterations, ...usage } = spend;
  options.trace.record({ type: "outcome", outcome: outcome.kind, reason: outcome.reason, iterations, usage, durationMs });
  return { outcome, proof: claims.proof, spend, durationMs };
}

async function settle(options: FixOptions, claims: Claims, signal: AbortSignal, deadline: AbortSignal): Promise<Outcome> {
  try {
    return await repair(options, claims, AbortSignal.any([signal, deadline]));
  } catch (error) {
    if (signal.aborted) return { kind: "cancelled", reason: "cancelled before it was done" };
    if (deadline.aborted) {
      const seconds = Math.round(options.budget.limits.wallTimeMs / 1000);
      return { kind: "exhausted", limit: "time", reason: `time: the limit of ${seconds} s was reached` };
    }
    if (error instanceof SandboxError || error instanceof ModelError) {
      return { kind: "infrastructure", reason: messageOf(error) };
    }
    throw error;
  }
}

/** The pipeline, top to bottom. */
async function repair(options: FixOptions, claims: Claims, signal: AbortSignal): Promise<Outcome> {
  const { checkout, command, trace } = options;
  await using sandbox = await trace.stage("sandbox", () => options.startSandbox(signal));
  const seen = await trace.stage("triage", () =>
    triage({ session: sandbox, checkout, command, timeoutMs: options.testRunMs, trace }, signal),
  );
  if (seen.kind !== "red") return outcomeOfTriage(seen);

  await sandbox.put(checkout.files(), { reset: true }, signal);
  const end = await trace.stage("loop", () => loop(options, sandbox, seen, claims, signal));
  return outcomeOfLoop(end, checkout, signal);
}

function loop(
  options: FixOptions,
  session: Workspace["session"],
  seen: Extract<Triage, { kind: "red" }>,
  claims: Claims,
  signal: AbortSignal,
): Promise<LoopEnd> {
  const { checkout, model, budget, trace, startSandbox, executionMs } = options;
  const { target, run, timeoutMs } = seen;
  const workspace: Workspace = {
    session,
    checkout,
    target,
    executionMs,
    testRunMs: timeoutMs,
    created: new Set(),
    policy: { testFiles: testFilesOf(run, target) },
    refusedEdits: [],
    epoch: 0,
    lastTestRun: null,
  };
  return runLoop(
    {
      model,
      workspace,
      run,
      budget,
      trace,
      claims,
      provePatch: (patch, proofSignal) =>
        trace.stage("proof", () => prove({ startSandbox, checkout, patch, target, timeoutMs, trace }, proofSignal)),
    },
    signal,
  );
}
