import type { Checkout } from "../checkout/snapshot.ts";
import { describeRun } from "../runner/describe-run.ts";
import { environmentProblem } from "../runner/environment-problem.ts";
import { runTests } from "../runner/run-tests.ts";
import type { TestCommand } from "../runner/test-command.ts";
import type { SandboxSession } from "../sandbox/sandbox.ts";
import type { Trace } from "../trace/recorder.ts";
import { recordTestRun } from "./record-test-run.ts";
import { isRed } from "./target.ts";
import { detailOf, laterTimeout } from "./triage.ts";

/** Whether tests can be run at a commit at all, red or green. */
export type StartState =
  /** `timeoutMs` is the limit of later test runs. */
  { readonly kind: "ready"; readonly timeoutMs: number } | { readonly kind: "environment"; readonly detail: string };

export interface StartStateOptions {
  readonly session: SandboxSession;
  readonly checkout: Checkout;
  readonly command: TestCommand;
  /** True when the packages that the project names were installed. */
  readonly installed: boolean;
  /** Limit of the run, in milliseconds. */
  readonly timeoutMs: number;
  readonly trace: Trace;
}

/** Runs the tests of a commit for which nothing is known to be red: before a token is spent on a report of something else. */
export async function seeStartState(options: StartStateOptions, signal: AbortSignal): Promise<StartState> {
  const { session, checkout, command, timeoutMs, trace } = options;
  if (command.runner === "command") return { kind: "environment", detail: exitStatusOnly };
  await session.put(checkout.files(), { reset: true }, signal);
  const run = await runTests(session, command, { timeoutMs }, signal);
  recordTestRun(trace, "start", run);
  const problem = isRed(run) ? environmentProblem(run, checkout.paths) : null;
  if (problem !== null) return { kind: "environment", detail: detailOf(problem, options.installed) };
  if (run.report?.complete === true) return { kind: "ready", timeoutMs: laterTimeout(run, timeoutMs) };
  const [line = ""] = describeRun(run).split("\n");
  return { kind: "environment", detail: `the tests do not run to their end: ${line}` };
}

const exitStatusOnly =
  "the command reports no single tests, so it cannot be seen whether a new test shows what was reported; name one that runs pytest, unittest, `node --test` or vitest";
