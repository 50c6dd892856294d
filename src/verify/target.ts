import type { TestCase, TestReport, TestRun } from "../runner/report.ts";
import { failing } from "../runner/run-tests.ts";
import type { TestCommand } from "../runner/test-command.ts";

/** What must turn green. */
export interface Target {
  readonly command: TestCommand;
  /**
   * Test ids that were red at the start commit, all of which must turn green. A file's path stands for a file that could not be
   * collected. Null for a command that is judged by its exit status alone.
   */
  readonly ids: readonly string[] | null;
}

/** The target that a red run shows. A test that hung, and so has no record, is part of it. */
export function targetOf(command: TestCommand, run: TestRun): Target {
  const ids = redIds(run);
  return { command, ids: ids.length > 0 ? ids : null };
}

/** Ids that are red in a run: failed ones, ones that could not be collected, and the one that was running when the run was cut short. */
export function redIds(run: TestRun): string[] {
  if (run.report === null) return [];
  const red = failing(run);
  const unfinished = firstUnfinished(run.report);
  return unfinished !== null && !red.includes(unfinished) ? [...red, unfinished] : red;
}

/** True when the run as a whole is red: a failing id, an exit status other than 0, or no closing record. */
export function isRed(run: TestRun): boolean {
  if (run.result.status !== "exited" || run.result.exitCode !== 0) return true;
  if (run.runner === "command") return false;
  return run.report === null || !run.report.complete || failing(run).length > 0;
}

/** Two runs of the same tree with different keys disagree: something is flaky. */
export function redKey(run: TestRun): string {
  if (!isRed(run)) return "green";
  const ids = redIds(run);
  return ids.length > 0
    ? ids.toSorted().join("\n")
    : `${run.result.status} ${run.result.exitCode ?? run.result.signal}`;
}

/** Target ids that are not green in the run; for a plain command, its status when that is not 0. Empty means green. */
export function notGreen(run: TestRun, target: Target): string[] {
  if (target.ids === null) return isRed(run) ? [endingOf(run)] : [];
  const { report } = run;
  if (report === null) return [...target.ids];
  // One that passes only when it is tried again is not repaired, though its runner may be content.
  const green = new Set(report.tests.filter(passedAtOnce).map(({ id }) => id));
  const red = target.ids.filter((id) => !green.has(id) && !fileIsGreen(report, id));
  if (red.length > 0) return red;
  if (!report.complete) return [`the test run did not reach its end: ${endingOf(run)}`];
  if (failing(run).length === 0 && isRed(run)) return [endingOf(run)];
  return [];
}

/** Target ids that a run does not show red; for a plain command its text, when it succeeds. */
export function greenIds(run: TestRun, target: Target): string[] {
  if (target.ids === null) return isRed(run) ? [] : [target.command.shell];
  // A run that was stopped at its limit says nothing good of the tests that it did not reach.
  const unreached = run.result.status === "timeout" && run.report?.complete !== true ? target.ids : [];
  const passed = new Set(run.report?.tests.filter((test) => test.status === "passed").map((test) => test.id));
  const red = new Set([...redIds(run), ...unreached.filter((id) => !passed.has(id))]);
  return target.ids.filter((id) => !red.has(id));
}

/** Says in words how a run's process ended. */
function endingOf(run: TestRun): string {
  const { status, exitCode, signal } = run.result;
  if (status === "exited") return `exit status ${exitCode}`;
  if (status === "signalled") return `killed by ${signal}`;
  return {
    timeout: "time limit reached",
    oom: "out of memory",
    interrupted: "interrupted",
    "output-limit": "output limit reached",
    lost: "process lost",
  }[status];
}

function passedAtOnce({ status, attempts = 1 }: TestCase): boolean {
  return status === "passed" && attempts === 1;
}

/** A file that could not be collected is green once it holds tests, and all of them pass. */
function fileIsGreen(report: TestReport, file: string): boolean {
  const inside = report.tests.filter((test) => test.file === file && test.id !== file);
  return (
    inside.length > 0 &&
    inside.every((test) => test.status !== "failed" && test.status !== "error") &&
    inside.some((test) => test.status === "passed") &&
    !report.tests.some((test) => test.id === file && test.status !== "passed")
  );
}

function firstUnfinished(report: TestReport): string | null {
  if (report.complete) return null;
  const finished = new Set(report.tests.map((test) => test.id));
  return report.collected.find((id) => !finished.has(id)) ?? null;
}
