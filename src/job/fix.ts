import type { Patch } from "../checkout/patch.ts";
import { judgePatch } from "../checkout/patch-policy.ts";
import type { Checkout } from "../checkout/snapshot.ts";
import { type ProvenPatch, settleRepair } from "../loop/finish.ts";
import { type Claims, type LoopEnd, runLoop } from "../loop/loop.ts";
import { crashText, openingMessages } from "../loop/prompt.ts";
import { ShownObservations } from "../loop/shown-observations.ts";
import type { Workspace } from "../loop/tool/tool.ts";
import type { Budget } from "../model/budget.ts";
import type { Model } from "../model/model.ts";
import { commandFiles } from "../runner/command-files.ts";
import type { TestCommand } from "../runner/test-command.ts";
import type { SandboxSession, StartSandbox } from "../sandbox/sandbox.ts";
import type { Trace } from "../trace/recorder.ts";
import { prove } from "../verify/prove.ts";
import { type Triage, triage } from "../verify/triage.ts";
import type { Outcome } from "./outcome.ts";
import { outcomeOfLoop, outcomeOfTriage } from "./outcome-of.ts";
import { testFilesOf } from "./test-files.ts";

export interface FixOptions {
  readonly checkout: Checkout;
  readonly command: TestCommand;
  readonly startSandbox: StartSandbox;
  /** True when its sandboxes have the packages that the project names. */
  readonly installed: boolean;
  readonly model: Model;
  readonly budget: Budget;
  readonly trace: Trace;
  readonly claims: Claims;
  /** Limit of one test run, in milliseconds. */
  readonly testRunMs: number;
  /** Limit of one execution or shell command, in milliseconds. */
  readonly executionMs: number;
  /** What the person who asked wrote beside the command. */
  readonly hint?: string | null;
  /** Other reasons to stop before the first token is spent; null: there are none. The session is free to be used. */
  readonly beforeLoop?: (red: Red, session: SandboxSession, signal: AbortSignal) => Promise<Outcome | null>;
}

/** A failure that is reproduced. */
export type Red = Extract<Triage, { kind: "red" }>;

/** Repairs one checkout: reproduce, loop, prove. Rejects for broken infrastructure, and with the signal's reason. */
export async function fix(options: FixOptions, signal: AbortSignal): Promise<Outcome> {
  const { checkout, command, trace, startSandbox, installed, testRunMs: timeoutMs } = options;
  await using sandbox = await trace.stage("sandbox", () => startSandbox(signal));
  const seen = await trace.stage("triage", () =>
    triage({ session: sandbox, checkout, command, timeoutMs, trace, installed }, signal),
  );
  if (seen.kind !== "red") return outcomeOfTriage(seen);
  const stop = await options.beforeLoop?.(seen, sandbox, signal);
  if (stop != null) return stop;
  await sandbox.put(checkout.files(), { reset: true }, signal);
  const end = await trace.stage("loop", () => loop(options, sandbox, seen, signal));
  return outcomeOfLoop(end, checkout, signal);
}

function loop(
  options: FixOptions,
  session: SandboxSession,
  seen: Red,
  signal: AbortSignal,
): Promise<LoopEnd<ProvenPatch>> {
  const { checkout, command, model, budget, trace, claims, startSandbox, executionMs, hint } = options;
  const { target, run, timeoutMs } = seen;
  const isCheck = target.ids === null || (command.parts ?? []).some(({ runner }) => runner === "command");
  const policy = { ...testFilesOf(run, target), commandFiles: commandFiles(command, checkout.paths), isCheck };
  const workspace: Workspace = {
    ...{ session, checkout, target, executionMs, testRunMs: timeoutMs },
    created: new Set(),
    judge: (patch) => judgePatch(checkout, patch, policy),
    refusedEdits: [],
    epoch: 0,
    lastTestRun: null,
    touched: false,
    greenUntouched: false,
  };
  const opening = { target, run, paths: checkout.paths, hint };
  const crash = crashText(opening);
  trace.record({ type: "crash", text: crash });
  const conversation = { messages: openingMessages(opening), shown: new ShownObservations(crash) };
  const provePatch = (patch: Patch, proofSignal: AbortSignal) =>
    trace.stage("proof", () => prove({ startSandbox, checkout, patch, target, timeoutMs, trace }, proofSignal));
  const settle = settleRepair({ workspace, provePatch, claims, trace });
  return runLoop({ model, workspace, budget, trace, claims, conversation, settle }, signal);
}
