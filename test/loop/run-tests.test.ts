import { expect, test } from "vitest";
import { runTests } from "../../src/loop/tool/run-tests.ts";
import type { Workspace } from "../../src/loop/tool/tool.ts";
import type { TestCommand } from "../../src/runner/test-command.ts";
import type { RunRequest } from "../../src/sandbox/sandbox.ts";
import { runResult } from "../builders/test-run.ts";

const { signal } = new AbortController();
const command = { shell: "pytest", cwd: "/work", env: {}, runner: "pytest" } as TestCommand;
const id = "tests/test_a.py::test_a";

/** A workspace whose test runs all end like this; every other use of it fails. */
function workspace(status: "passed" | "failed", overrides: Partial<Workspace> = {}) {
  const records = [
    { kind: "start", runner: "pytest", version: "8.3.5" },
    { kind: "collected", ids: [id] },
    { kind: "test", id, file: "tests/test_a.py", status, durationMs: 1 },
    { kind: "end", exitStatus: status === "passed" ? 0 : 1 },
  ];
  const report = Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  const requests: RunRequest[] = [];
  const session = {
    run: async (request: RunRequest) => {
      requests.push(request);
      return runResult({ exitCode: status === "passed" ? 0 : 1, report });
    },
  };
  const fake = {
    session,
    target: { command, ids: [id] },
    testRunMs: 1_000,
    lastTestRun: null,
    touched: false,
    greenUntouched: false,
    ...overrides,
  } as unknown as Workspace;
  return { fake, requests };
}

test("without arguments the target's tests are run, with the limit of a test run", async () => {
  const { fake, requests } = workspace("failed");
  const { text } = await runTests.run({}, fake, signal);
  expect(text).toContain("0 passed, 1 failed");
  expect(requests).toMatchObject([{ timeoutMs: 1_000, report: true }]);
  expect(fake.greenUntouched).toBe(false);
});

test("a target that is green in an untouched workspace is noted: it is flaky", async () => {
  const { fake } = workspace("passed");
  await runTests.run({}, fake, signal);
  expect(fake.greenUntouched).toBe(true);
});

test("a green target after something was changed is the aim, and not flaky", async () => {
  const { fake } = workspace("passed", { touched: true });
  await runTests.run({}, fake, signal);
  expect(fake.greenUntouched).toBe(false);
});

test("green tests that were chosen say nothing of the target", async () => {
  const { fake } = workspace("passed");
  await runTests.run({ tests: [id] }, fake, signal);
  expect(fake.greenUntouched).toBe(false);
});

test("a plain command has no tests to choose from", async () => {
  const { fake, requests } = workspace("failed", { target: { command: { ...command, runner: "command" }, ids: null } });
  expect(await runTests.run({ tests: [id] }, fake, signal)).toMatchObject({
    failed: true,
    text: expect.stringContaining("without arguments"),
  });
  expect(requests).toEqual([]);
});
