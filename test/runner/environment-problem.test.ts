import { expect, test } from "vitest";
import { environmentProblem } from "../../src/runner/environment-problem.ts";
import type { TestRun } from "../../src/runner/report.ts";
import { commandRun, pytestRun, runResult, testCase } from "../builders/test-run.ts";

const paths = ["src/billing/invoice.py", "tests/test_invoice.py", "packages/core/index.js", "setup.py"];

interface Thrown {
  readonly type?: string;
  readonly message?: string;
  readonly file?: string;
}

function failure({ type = "Error", message = "", file = "/work/tests/test_invoice.py" }: Thrown, id = "a") {
  const frames = [{ file, line: 1, function: "f", source: "", locals: {} }];
  return testCase(id, "error", { message: "as printed", exception: { type, message, frames } });
}

function runOf(...failures: readonly Thrown[]): TestRun {
  return pytestRun({}, { tests: failures.map((each, index) => failure(each, `t${index}`)), exitCode: 1 });
}

function printed(stderr: string, exitCode = 1): TestRun {
  return { ...commandRun(exitCode), result: runResult({ exitCode, stderr: { text: stderr, droppedBytes: 0 } }) };
}

test.each([
  ["ModuleNotFoundError", "No module named 'requests'", "the package requests is not installed in the sandbox"],
  [
    "Error",
    "Cannot find package 'left-pad' imported from /work/a.js",
    "the package left-pad is not installed in the sandbox",
  ],
  [
    "Error",
    "Cannot find module '@scope/pkg/sub'\nRequire stack:",
    "the package @scope/pkg is not installed in the sandbox",
  ],
  [
    "Error",
    'Failed to resolve import "left-pad" from "src/a.ts". Does the file exist?',
    "the package left-pad is not installed in the sandbox",
  ],
  [
    "Error",
    "Failed to load url left-pad (resolved id: left-pad) in /work/a.test.ts. Does the file exist?",
    "the package left-pad is not installed in the sandbox",
  ],
  ["Error", "connect ECONNREFUSED 127.0.0.1:5432", "PostgreSQL at 127.0.0.1:5432"],
  [
    "OperationalError",
    'connection to server at "localhost" (127.0.0.1), port 5432 failed: Connection refused',
    "PostgreSQL at localhost:5432",
  ],
  ["ConnectionError", "Error 111 connecting to localhost:6379. Connection refused.", "Redis at localhost:6379"],
  ["Error", "getaddrinfo ENOTFOUND api.example.com", "api.example.com"],
  ["gaierror", "[Errno -3] Temporary failure in name resolution", "a host on the network"],
  [
    "OSError",
    "HTTPConnectionPool(host='10.0.0.7', port=8000): Max retries exceeded: [Errno 101] Network is unreachable",
    "10.0.0.7:8000",
  ],
  ["Error", "Missing required environment variable: STRIPE_API_KEY", "the secret STRIPE_API_KEY"],
  ["Error", "GITHUB_TOKEN environment variable is not set", "the secret GITHUB_TOKEN"],
])("%s: %s is the environment's", (type, message, detail) => {
  expect(environmentProblem(runOf({ type, message }), paths)?.detail).toContain(detail);
});

test.each([
  ["AssertionError", "assert 'ECONNREFUSED 10.0.0.1:5432' == ''"],
  ["AssertionError", "No module named 'requests'"],
  ["Failed", "DID NOT RAISE <class 'ConnectionRefusedError'>"],
  ["ModuleNotFoundError", "No module named 'billing'"],
  ["ModuleNotFoundError", "No module named 'biling'"],
  ["ModuleNotFoundError", "No module named 'numpy.nonsense'"],
  ["Error", "Cannot find module './missing.js'"],
  ["Error", "Cannot find module '/work/src/missing.js' imported from /work/a.js"],
  ["Error", "Cannot find package '#internal'"],
  ["Error", "Cannot find package '@shop/core' imported from /work/a.js"],
  ["Error", 'Failed to resolve import "../src/gone.ts" from "test/a.test.ts". Does the file exist?'],
  ["Error", "Failed to load url @/gone (resolved id: @/gone) in /work/a.test.ts. Does the file exist?"],
  ["Error", "No such built-in module: node:nothing"],
  ["Error", "connect ECONNREFUSED 127.0.0.1:38211"],
  ["ConnectionRefusedError", "[Errno 111] Connection refused"],
  ["KeyError", "'API_TOKEN'"],
  ["KeyError", "'name'"],
  ["TypeError", "x is not a function"],
])("%s: %s may be the code's own", (type, message) => {
  expect(environmentProblem(runOf({ type, message }), paths)).toBeNull();
});

test("a secret that os.environ has not is the environment's, any other variable is not", () => {
  const file = "/usr/lib/python3.13/os.py";
  expect(environmentProblem(runOf({ type: "KeyError", message: "'X_API_TOKEN'", file }), paths)).toEqual({
    kind: "missing-secret",
    detail: "the tests need the secret X_API_TOKEN, and a sandbox holds none",
  });
  expect(environmentProblem(runOf({ type: "KeyError", message: "'CACHE_FOLDER'", file }), paths)).toBeNull();
});

test("one failure that may be the code's own is enough to go on", () => {
  const missing = { type: "ModuleNotFoundError", message: "No module named 'requests'" };
  expect(environmentProblem(runOf(missing, missing), paths)?.kind).toBe("missing-package");
  expect(environmentProblem(runOf(missing, { type: "ValueError", message: "bad" }), paths)).toBeNull();
});

test("a command that is not there is the environment's", () => {
  expect(environmentProblem(printed("sh: 1: ruby: not found", 127), paths)?.detail).toBe("ruby is not in the sandbox");
  expect(environmentProblem(printed("bash: line 2: jq: command not found", 127), paths)?.detail).toContain("jq");
  expect(environmentProblem(printed("", 127), paths)?.kind).toBe("missing-command");
  expect(environmentProblem(printed("sh: 1: vitest: not found", 127), paths)).toEqual({
    kind: "missing-package",
    detail: "the package vitest is not installed in the sandbox",
  });
});

test("a command without a report is judged by what it printed last", () => {
  expect(environmentProblem(printed("/usr/bin/python3: No module named pytest"), paths)?.kind).toBe("missing-package");
  expect(environmentProblem(printed("E   ModuleNotFoundError: No module named 'yaml'"), paths)?.kind).toBe(
    "missing-package",
  );
  expect(
    environmentProblem(printed("AssertionError: x\nModuleNotFoundError: No module named 'yaml'"), paths),
  ).toBeNull();
  expect(environmentProblem(printed("1 failed"), paths)).toBeNull();
});

test("a conftest.py that needs a missing package is judged like a test", () => {
  const problem = {
    id: "conftest.py",
    message: "",
    exception: failure({ type: "ModuleNotFoundError", message: "No module named 'django'" }).exception,
  };
  const run = pytestRun({}, { exitCode: 4 });
  expect(
    environmentProblem({ ...run, report: { collected: [], tests: [], complete: false, problems: [problem] } }, paths)
      ?.detail,
  ).toContain("django");
});

test("a run that was killed tells nothing of the environment", () => {
  const run = runOf({ type: "ModuleNotFoundError", message: "No module named 'requests'" });
  expect(environmentProblem({ ...run, result: runResult({ status: "timeout", exitCode: null }) }, paths)).toBeNull();
});
