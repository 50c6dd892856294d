import { expect, test } from "vitest";
import { command } from "../../src/runner/command.ts";
import { mocha } from "../../src/runner/mocha.ts";
import { nodeTest } from "../../src/runner/node-test.ts";
import { pytest } from "../../src/runner/pytest.ts";
import type { TestCommand } from "../../src/runner/test-command.ts";
import { unittest } from "../../src/runner/unittest.ts";
import { vitest } from "../../src/runner/vitest.ts";

const plugins = "/opt/autolith/plugins";

function testCommand(shell: string, overrides: Partial<TestCommand> = {}): TestCommand {
  return { shell, cwd: "/work", env: {}, runner: "command", ...overrides };
}

function nodeShell(shell: string, select: readonly string[], cwd = "/work"): string | undefined {
  return nodeTest.request(testCommand(shell, { cwd }), { timeoutMs: 1, select }).argv[2];
}

test("pytest gets its plugin by environment, and what to run by input", () => {
  const request = pytest.request(testCommand("pytest -q", { env: { PYTHONPATH: "src", TZ: "UTC" } }), {
    timeoutMs: 5,
    select: ["a.py::test_a"],
    shuffleSeed: 3,
    hashSeed: "0",
  });
  expect(request).toEqual({
    argv: ["sh", "-c", "pytest -q"],
    cwd: "/work",
    env: { TZ: "UTC", PYTHONPATH: `${plugins}:src`, PYTEST_ADDOPTS: "-p autolith_pytest", PYTHONHASHSEED: "0" },
    timeoutMs: 5,
    report: true,
    input: '{"select":["a.py::test_a"],"shuffleSeed":3}',
  });
});

test("unittest gets its plugin before any other start-up module, and what to run by input", () => {
  const command = testCommand("PYTHONPATH=src python -m unittest", { env: { TZ: "UTC" } });
  expect(unittest.request(command, { timeoutMs: 5, select: ["a.py::A"], hashSeed: "1" })).toEqual({
    argv: ["sh", "-c", `PYTHONPATH=${plugins}/autolith_unittest/start:src python -m unittest`],
    cwd: "/work",
    env: { TZ: "UTC", PYTHONPATH: `${plugins}/autolith_unittest/start`, PYTHONHASHSEED: "1" },
    timeoutMs: 5,
    report: true,
    input: '{"select":["a.py::A"],"shuffleSeed":null}',
  });
});

test("mocha gets its plugin by NODE_OPTIONS, and what to run by input", () => {
  const command = testCommand("NODE_OPTIONS=--no-warnings mocha --exit", { env: { TZ: "UTC" } });
  const preload = `--import=${plugins}/autolith_mocha/preload.mjs`;
  expect(mocha.request(command, { timeoutMs: 5, select: ["a.js > x"] })).toEqual({
    argv: ["sh", "-c", `NODE_OPTIONS=${preload}\\ --no-warnings mocha --exit`],
    cwd: "/work",
    env: {
      ...{ CI: "true", TZ: "UTC", NODE_OPTIONS: preload },
      ...{ AUTOLITH_NODE_OPTIONS: preload, AUTOLITH_TIMEOUT_MS: "5", AUTOLITH_LOCALS: "1" },
    },
    timeoutMs: 5,
    report: true,
    input: '{"select":["a.js > x"],"shuffleSeed":null}',
  });
});

test("values that the command sets itself keep our part in front", () => {
  const shell = "export PYTHONPATH=\"$PWD\"; MYPYTHONPATH=x PYTEST_ADDOPTS='-q -x' pytest";
  expect(pytest.request(testCommand(shell), { timeoutMs: 1 }).argv[2]).toBe(
    `export PYTHONPATH=${plugins}:"$PWD"; MYPYTHONPATH=x PYTEST_ADDOPTS=-p\\ autolith_pytest\\ '-q -x' pytest`,
  );
});

test("node gets our reporter beside one that people read", () => {
  const { env, report } = nodeTest.request(testCommand("node --test", { env: { NODE_OPTIONS: "--no-warnings" } }), {
    timeoutMs: 9,
  });
  const folder = `${plugins}/autolith_node_test`;
  const ours = `--import=${folder}/preload.mjs --test-reporter=${folder}/reporter.mjs --test-reporter-destination=stderr`;
  const options = `${ours} --test-reporter=spec --test-reporter-destination=stdout`;
  expect(report).toBe(true);
  expect(env).toEqual({
    NODE_OPTIONS: `${options} --no-warnings`,
    AUTOLITH_NODE_OPTIONS: options,
    AUTOLITH_TIMEOUT_MS: "9",
    AUTOLITH_LOCALS: "1",
  });
});

test("vitest gets its plugin by NODE_OPTIONS, what to run by input, and CI as where it failed", () => {
  const options = { timeoutMs: 9, select: ["a.test.ts > a"], shuffleSeed: 3, locals: false };
  const ours = `--import=${plugins}/autolith_vitest/preload.mjs`;
  const request = vitest.request(testCommand("NODE_OPTIONS=--no-warnings vitest", { env: { TZ: "UTC" } }), options);
  expect(request).toEqual({
    argv: ["sh", "-c", `NODE_OPTIONS=${ours}\\ --no-warnings vitest`],
    cwd: "/work",
    env: {
      CI: "true",
      TZ: "UTC",
      NODE_OPTIONS: ours,
      AUTOLITH_NODE_OPTIONS: ours,
      AUTOLITH_TIMEOUT_MS: "9",
      AUTOLITH_LOCALS: "0",
    },
    timeoutMs: 9,
    report: true,
    input: '{"select":["a.test.ts > a"],"shuffleSeed":3}',
  });
  expect(vitest.request(testCommand("vitest", { env: { CI: "" } }), { timeoutMs: 9 }).env).toMatchObject({ CI: "" });
});

test("only the files of selected node tests run", () => {
  const select = ["test/a.test.js > x > y", "test/a.test.js > z", "test/it's.test.js"];
  expect(nodeShell("CI=1 c8 -r text node --import ./x.js --test --test-concurrency 1 test/*.js", select)).toBe(
    'CI=1 c8 -r text node --import ./x.js --test --test-concurrency 1 test/a.test.js "test/it\'s.test.js"',
  );
  expect(nodeShell("node --test", ["pkg/-a.test.js"], "/work/pkg")).toBe("node --test ./-a.test.js");
  expect(nodeShell("node --test", ["test/a.js"], "/work/pkg")).toBe("node --test ../test/a.js");
});

test.each(["tsc && node --test", "npm run x && node --test", "node --test > log", "node --test a.js | cat"])(
  "all tests run where a command cannot be cut down: %s",
  (shell) => {
    expect(nodeShell(shell, ["a.js > x"])).toBe(shell);
  },
);

test("a file whose name is a pattern is not chosen by its name", () => {
  expect(nodeShell("node --test", ["app/[id].test.js > x"])).toBe("node --test");
});

test("a plain command runs as it is, without a report", () => {
  const request = command.request(testCommand("make test"), { timeoutMs: 1, select: ["x"], hashSeed: "1" });
  expect(request).toEqual({
    argv: ["sh", "-c", "make test"],
    cwd: "/work",
    env: { PYTHONHASHSEED: "1" },
    timeoutMs: 1,
    report: false,
  });
});
