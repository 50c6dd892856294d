import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import type { TestReport, TestRun } from "../../src/runner/report.ts";
import { type RunTestsOptions, runTests } from "../../src/runner/run-tests.ts";
import { resolveTestCommand } from "../../src/runner/test-command.ts";
import type { Sandbox, WorkspaceFile } from "../../src/sandbox/sandbox.ts";
import { never } from "../docker/engine-under-test.ts";

/** A project in a sandbox, whose tests are run as the product runs them. */
export interface SandboxedProject {
  run(command: string, options?: Partial<RunTestsOptions>): Promise<TestRun>;
  /** Adds files to those of the project. */
  add(files: Readonly<Record<string, string>>): Promise<void>;
}

/** Lays a folder of fixtures into the sandbox's workspace, which is emptied first, with packages beside them. */
export async function sandboxedProject(
  sandbox: Sandbox,
  folder: string | null,
  packages: readonly WorkspaceFile[] = [],
): Promise<SandboxedProject> {
  const files = new Map(
    folder === null ? [] : await filesOf(join(import.meta.dirname, "../fixtures/repositories", folder)),
  );
  await sandbox.put([...packages, ...[...files].map(toWorkspaceFile)], { reset: true }, never);
  return {
    async run(command, options = {}) {
      const reader = { paths: [...files.keys()], read: async (path: string) => files.get(path) ?? null };
      const resolved = await resolveTestCommand(command, reader);
      return runTests(sandbox, resolved, { timeoutMs: 60_000, ...options }, never);
    },
    async add(added) {
      const entries = Object.entries(added).map(([path, text]): [string, Buffer] => [path, Buffer.from(text)]);
      for (const [path, bytes] of entries) files.set(path, bytes);
      await sandbox.put(entries.map(toWorkspaceFile), { reset: false }, never);
    },
  };
}

/** Status by id. */
export function statuses(run: TestRun): Record<string, string> {
  return Object.fromEntries(reportOf(run).tests.map(({ id, status }) => [id, status]));
}

/** The report, which must be there. */
export function reportOf(run: TestRun): TestReport {
  if (run.report === null) {
    throw new Error(
      `no report; ${run.result.status} ${run.result.exitCode}\n${run.result.stdout.text}\n${run.result.stderr.text}`,
    );
  }
  return run.report;
}

/** One test of the report. */
export function testIn(run: TestRun, id: string) {
  const found = reportOf(run).tests.find((test) => test.id === id);
  if (found === undefined)
    throw new Error(
      `no test ${id} in ${reportOf(run)
        .tests.map((test) => test.id)
        .join(", ")}`,
    );
  return found;
}

async function filesOf(folder: string): Promise<[string, Buffer][]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    paths.map(async (path): Promise<[string, Buffer]> => [relative(folder, path), await readFile(path)]),
  );
}

function toWorkspaceFile([path, bytes]: readonly [string, Uint8Array]): WorkspaceFile {
  return { path, kind: "file", executable: false, bytes };
}
