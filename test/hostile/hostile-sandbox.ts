import { afterAll, afterEach, beforeAll, expect } from "vitest";
import type { SandboxLimits } from "../../src/sandbox/limits.ts";
import type { ExecutionResult, Language, RunResult, Sandbox, WorkspaceFile } from "../../src/sandbox/sandbox.ts";
import { type EngineUnderTest, engineUnderTest, never } from "../docker/engine-under-test.ts";

/** One container for the tests of a file. After each test it must still work, and nothing may be left in it. */
export interface HostileSandbox {
  /** The sandbox, once the tests run. */
  readonly sandbox: Sandbox;
  execute(language: Language, code: string, timeoutMs?: number): Promise<ExecutionResult>;
  python(code: string, timeoutMs?: number): Promise<ExecutionResult>;
  run(argv: readonly string[], timeoutMs?: number): Promise<RunResult>;
  shell(script: string, timeoutMs?: number): Promise<RunResult>;
  /** Runs Python in a process of its own and gives what it printed. */
  script(code: string): Promise<string>;
}

/** Registers the hooks; call it once at the top of a test file. */
export function hostileSandbox(limits: Partial<SandboxLimits> = {}): HostileSandbox {
  let under: EngineUnderTest;
  let sandbox: Sandbox;
  beforeAll(async () => {
    under = await engineUnderTest();
    sandbox = await under.start({ limits: { ...under.options.limits, ...limits } });
  });
  afterEach(() => expectHealthy(hostile));
  afterAll(async () => {
    await sandbox[Symbol.asyncDispose]();
    expect(await under.leftOvers()).toEqual([]);
  });
  const execute = (language: Language, code: string, timeoutMs = 10_000) =>
    sandbox.execute({ language, code, timeoutMs }, never);
  const run = (argv: readonly string[], timeoutMs = 10_000) =>
    sandbox.run({ argv, cwd: "/work", env: {}, timeoutMs, report: false }, never);
  const hostile: HostileSandbox = {
    get sandbox() {
      return sandbox;
    },
    execute,
    python: (code, timeoutMs) => execute("python", code, timeoutMs),
    run,
    shell: (script, timeoutMs) => run(["sh", "-c", script], timeoutMs),
    script: async (code) => {
      const { stdout, stderr } = await run(["python3", "-c", code]);
      return stdout.text + stderr.text;
    },
  };
  return hostile;
}

/** Processes other than the supervisor and the one that looks. */
export const listProcesses = `
import os
mine = {"1", str(os.getpid())}
print(sorted(p for p in os.listdir("/proc") if p.isdigit() and p not in mine))
`;

async function expectHealthy(hostile: HostileSandbox): Promise<void> {
  expect(await hostile.python("6 * 7")).toMatchObject({ status: "ok", value: "42" });
  await hostile.sandbox.sweep(never);
  expect(await hostile.script(listProcesses)).toBe("[]\n");
  await hostile.sandbox.put([], { reset: true }, never);
  expect(await hostile.sandbox.list(never)).toEqual([]);
}

/** A regular file of a workspace. */
export function textFile(path: string, text: string): WorkspaceFile {
  return { path, kind: "file", executable: false, bytes: Buffer.from(text) };
}
