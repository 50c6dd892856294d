import { posix } from "node:path";
import type { RunResult } from "../sandbox/sandbox.ts";
import { excerpt } from "./excerpt.ts";
import { outputText } from "./output-text.ts";
import type { TestCase, TestReport, TestRun, TestStatus } from "./report.ts";
import type { RunTestsOptions } from "./run-tests.ts";
import type { TestCommand } from "./test-command.ts";

type RunPart = (part: TestCommand, options: RunTestsOptions) => Promise<TestRun>;

interface PartRun {
  readonly part: TestCommand;
  readonly run: TestRun;
}

const outputChars = 8_000;

/**
 * Runs the tests of several packages one after the other, or of those that hold chosen tests, as one run: ids name files
 * of the workspace, so they do not collide. Each package also has a test of its own, named by its folder and command: red
 * when the command fails and no test says why, as one without a report does.
 */
export async function runPackages(command: TestCommand, options: RunTestsOptions, runPart: RunPart): Promise<TestRun> {
  const parts = command.parts ?? [];
  const runs: PartRun[] = [];
  let leftMs = options.timeoutMs;
  for (const part of parts) {
    const select = options.select?.filter((id) => holds(part, parts, id));
    if (select?.length === 0) continue;
    if (leftMs <= 0 || runs.some(({ run }) => run.result.status === "timeout")) break;
    const isWhole = select === undefined || select.includes(idOf(part));
    const env = { ...command.env, ...part.env };
    const run = await runPart(
      { ...part, env },
      { ...options, timeoutMs: leftMs, select: isWhole ? undefined : select },
    );
    leftMs -= run.result.durationMs;
    runs.push({ part, run });
  }
  return { runner: "packages", result: resultOf(runs), report: reportOf(runs) };
}

/** The id of a package's command as a whole. */
function idOf({ cwd, shell }: TestCommand): string {
  return `${posix.relative("/work", cwd) || "."}: ${shell}`;
}

/** An id belongs to the package in the deepest folder that its file lies in; one of no package, to all of them. */
function holds(part: TestCommand, parts: readonly TestCommand[], id: string): boolean {
  if (parts.some((each) => idOf(each) === id)) return id === idOf(part);
  const around = parts.filter(({ cwd }) => `/work/${id}`.startsWith(`${cwd}/`));
  const deepest = Math.max(...around.map(({ cwd }) => cwd.length));
  return around.length === 0 || (around.includes(part) && part.cwd.length === deepest);
}

function reportOf(runs: readonly PartRun[]): TestReport {
  const reports = runs.flatMap(({ run }) => (run.report === null ? [] : [run.report]));
  const problems = reports.flatMap((report) => report.problems ?? []);
  return {
    collected: reports.flatMap(({ collected }) => collected),
    tests: [...reports.flatMap(({ tests }) => tests), ...runs.map(caseOf)],
    complete: reports.every(({ complete }) => complete) && runs.every(({ run }) => run.result.status === "exited"),
    ...(problems.length > 0 && { problems }),
  };
}

function caseOf({ part, run }: PartRun): TestCase {
  const status = statusOf(run);
  const { stdout, stderr, exitCode, durationMs } = run.result;
  const output = excerpt(outputText(`${stdout.text}\n${stderr.text}`).trim(), outputChars);
  return {
    id: idOf(part),
    file: posix.relative("/work", part.cwd) || ".",
    status,
    durationMs,
    message:
      status === "failed" ? `${exitCode === null ? run.result.status : `exit status ${exitCode}`}\n${output}` : "",
    exception: null,
    assertion: null,
  };
}

/** `skipped` where failing tests say why the command failed: then they are the target, and it is not. */
function statusOf({ runner, result, report }: TestRun): TestStatus {
  const isReported = runner === "command" || report !== null;
  if (result.status === "exited" && result.exitCode === 0 && isReported) return "passed";
  const isTold = report?.tests.some(({ status }) => status === "failed" || status === "error") ?? false;
  return isTold || report?.complete === false ? "skipped" : "failed";
}

/** The first one that did not end with 0 says how the whole ended; what was printed stands below each command. */
function resultOf(runs: readonly PartRun[]): RunResult {
  const results = runs.map(({ run }) => run.result);
  const bad = results.find(({ status, exitCode }) => status !== "exited" || exitCode !== 0) ?? results[0];
  const stacks = results.flatMap(({ stack }) => (stack === null ? [] : [stack]));
  const printed = (stream: "stdout" | "stderr") => ({
    text: runs
      .filter(({ run }) => run.result[stream].text !== "")
      .map(({ part, run }) => `> ${idOf(part)}\n${run.result[stream].text}`)
      .join("\n"),
    droppedBytes: results.reduce((sum, result) => sum + result[stream].droppedBytes, 0),
  });
  return {
    status: bad?.status ?? "exited",
    exitCode: bad === undefined ? 1 : bad.exitCode,
    signal: bad?.signal ?? null,
    stdout: printed("stdout"),
    stderr: printed("stderr"),
    durationMs: results.reduce((sum, { durationMs }) => sum + durationMs, 0),
    memoryBytes: Math.max(0, ...results.map(({ memoryBytes }) => memoryBytes)),
    report: null,
    stack: stacks.length === 0 ? null : stacks.join("\n\n"),
  };
}
