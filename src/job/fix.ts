import type { Checkout } from "../checkout/snapshot.ts";
import type { Claims } from "../loop/loop.ts";
import { crashText, openingMessages } from "../loop/prompt.ts";
import { ShownObservations } from "../loop/shown-observations.ts";
import type { Budget } from "../model/budget.ts";
import type { Model } from "../model/model.ts";
import type { TestCommand } from "../runner/test-command.ts";
import type { SandboxSession, StartSandbox } from "../sandbox/sandbox.ts";
import type { Trace } from "../trace/recorder.ts";
import { type Triage, triage } from "../verify/triage.ts";
import type { Outcome } from "./outcome.ts";
import { outcomeOfLoop, outcomeOfTriage } from "./outcome-of.ts";
import { repairLoop } from "./repair-loop.ts";

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
  const opening = { target: seen.target, run: seen.run, paths: checkout.paths, hint: options.hint };
  const conversation = { messages: openingMessages(opening), shown: new ShownObservations(crashText(opening)) };
  const end = await trace.stage("loop", () =>
    repairLoop(options, { session: sandbox, checkout, seen, conversation }, signal),
  );
  return outcomeOfLoop(end, checkout, signal);
}
