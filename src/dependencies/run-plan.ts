import { posix } from "node:path";
import type { PackageSources } from "../config/package-sources.ts";
import type { InstallSandbox, RunResult, WorkspaceFile } from "../sandbox/sandbox.ts";
import { installEnvironment, prepareCommand, sourceFiles } from "./install-environment.ts";
import { installError } from "./install-error.ts";
import { type InstallCommand, type InstallPlan, type InstallStep, programs, workspace } from "./install-plan.ts";
import { atRegistry } from "./yarn-lock.ts";

export interface RunPlanOptions {
  readonly plan: InstallPlan;
  readonly files: AsyncIterable<WorkspaceFile>;
  readonly sandbox: InstallSandbox;
  readonly sources: PackageSources;
  /** For everything together, in milliseconds. */
  readonly timeoutMs: number;
}

/** `failed`: what failed and why, in one line. */
export type PlanRun =
  | { readonly kind: "done"; readonly notes: readonly string[] }
  | { readonly kind: "failed"; readonly reason: string };

/** Runs the steps of a plan in the container of an install. Rejects with `SandboxError`, and with the signal's reason. */
export async function runPlan(options: RunPlanOptions, signal: AbortSignal): Promise<PlanRun> {
  const { plan, sandbox, sources } = options;
  const deadline = performance.now() + options.timeoutMs;
  const base = installEnvironment(sources);
  const run = (command: InstallCommand) =>
    sandbox.run(
      {
        argv: command.argv,
        cwd: command.cwd,
        env: { ...base, ...command.env },
        timeoutMs: Math.max(1, deadline - performance.now()),
        report: false,
      },
      signal,
    );
  await sandbox.put(reachable(options.files, sources), { reset: true }, signal);
  await sandbox.put(sourceFiles(sources), { reset: false }, signal);
  const notes = [...plan.notes];
  const prepare: InstallStep = { name: "prepare", when: "always", attempts: [plainly(prepareCommand())] };
  for (const step of [prepare, ...plan.steps]) {
    if (step.when === "scripts") {
      const names = await packagesWithScripts(run);
      if (names.length === 0) continue;
      notes.push(`install scripts were run, for ${listed(names)}`);
    }
    const failure = await runStep(step, run, notes);
    if (failure !== null) return { kind: "failed", reason: `${step.name}: ${installError(failure)}` };
  }
  return { kind: "done", notes };
}

type Run = (command: InstallCommand) => Promise<RunResult>;

/** Null, or how the last attempt failed. An attempt that was cut short is not followed by another. */
async function runStep(step: InstallStep, run: Run, notes: string[]): Promise<RunResult | null> {
  let last: RunResult | null = null;
  for (const attempt of step.attempts) {
    if (last !== null && attempt.onlyAfter?.test(`${last.stdout.text}\n${last.stderr.text}`) === false) continue;
    last = await run(attempt);
    if (isSuccess(last)) {
      if (attempt.note !== null) notes.push(attempt.note);
      return null;
    }
    if (last.status !== "exited") return last;
  }
  return last;
}

/** Names come out of packages that nobody trusts: they are shown, and decide no more than whether scripts run. */
async function packagesWithScripts(run: Run): Promise<string[]> {
  const found = await run(plainly(["node", `${programs}/packages-with-scripts.mjs`, workspace]));
  return found.stdout.text.split("\n").filter((name) => name !== "");
}

function plainly(argv: readonly string[]): InstallCommand & { readonly note: null } {
  return { argv, cwd: workspace, env: {}, note: null };
}

function isSuccess({ status, exitCode }: RunResult): boolean {
  return status === "exited" && exitCode === 0;
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, 5).join(", ");
  return names.length > 5 ? `${shown} and ${names.length - 5} more` : shown;
}

async function* reachable(
  files: AsyncIterable<WorkspaceFile>,
  { registry }: PackageSources,
): AsyncGenerator<WorkspaceFile> {
  for await (const file of files) {
    const isLock = registry !== undefined && posix.basename(file.path) === "yarn.lock" && file.kind === "file";
    yield isLock
      ? { ...file, bytes: Buffer.from(atRegistry(Buffer.from(file.bytes).toString("utf8"), registry)) }
      : file;
  }
}
