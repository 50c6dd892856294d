import { expect, test } from "vitest";
import { cleanLog } from "../../src/evidence/clean-log.ts";
import { runBlockOf, type StepWindow } from "../../src/evidence/run-block.ts";

const start = Date.parse("2026-01-02T03:04:05Z");

/** The step ran from second 5 to second 7. */
const step: StepWindow = { startedAt: start, completedAt: start + 2_000, before: 0 };

/** A log whose lines are stamped with the second that stands before each. */
function log(...lines: readonly [second: number, text: string][]) {
  return cleanLog(
    lines.map(([second, text]) => `2026-01-02T03:04:${String(second).padStart(2, "0")}.5000000Z ${text}`).join("\n"),
  );
}

function block(second: number, script: readonly string[], env: readonly string[] = []): [number, string][] {
  const environment = env.length === 0 ? [] : ["env:", ...env.map((line) => `  ${line}`)];
  return [`##[group]Run ${script[0]}`, ...script, "shell: /usr/bin/bash -e {0}", ...environment, "##[endgroup]"].map(
    (text) => [second, text],
  );
}

test("the step's script, shell and environment are read", () => {
  const lines = log(...block(1, ["npm ci"]), ...block(5, ["cd api", "pytest -q"], ["TZ: Asia/Tokyo", "EMPTY:"]));
  expect(runBlockOf(lines, step)).toEqual({
    command: "cd api\npytest -q",
    shell: "/usr/bin/bash -e {0}",
    env: { TZ: "Asia/Tokyo", EMPTY: "" },
  });
});

test("a block that the tests print is not taken for the step's", () => {
  const lines = log(
    ...block(5, ["pytest -q"]),
    [6, "##[error]Process completed with exit code 1."],
    ...block(6, ["rm -rf /"]),
  );
  expect(runBlockOf(lines, step)?.command).toBe("pytest -q");
});

test("steps of the same second are counted", () => {
  const lines = log(...block(5, ["npm ci"]), ...block(5, ["npm test"]));
  expect(runBlockOf(lines, { ...step, before: 1 })?.command).toBe("npm test");
});

test.each([
  ["no block in the step's time", log(...block(1, ["pytest"]))],
  ["a command with a masked secret", log(...block(5, ["TOKEN=*** pytest"]))],
  ["an expression that was not expanded", log(...block(5, ["echo $" + "{{ matrix.x }}"]))],
  ["an empty log", cleanLog("")],
])("%s gives no command", (_, lines) => {
  expect(runBlockOf(lines, step)).toBeNull();
});

test("secrets, and places of the runner's machine, are left out of the environment", () => {
  const env = [
    "CI: true",
    "API_KEY: ***",
    "GITHUB_TOKEN: abc",
    "pythonLocation: /opt/hostedtoolcache/Python/3.13.0/x64",
    "PATH: /evil",
    "LD_PRELOAD: /evil.so",
    "NODE_OPTIONS: --require ./evil.js",
    "AUTOLITH_X: 1",
  ];
  expect(runBlockOf(log(...block(5, ["pytest"], env)), step)?.env).toEqual({ CI: "true" });
});
