import { expect, test } from "vitest";
import { jestArguments } from "../../sandbox/plugins/autolith_jest/arguments.mjs";

const reporter = "/opt/reporter.cjs";
const ours = ["--reporters=default", `--reporters=${reporter}`, "--bail=0"];

function words(command: string, request: { select?: string[]; shuffleSeed?: number } = {}, version = "29.7.0") {
  const given = command.split(" ").filter(Boolean);
  return jestArguments(given, { select: null, shuffleSeed: null, ...request }, { reporter, version });
}

test.each([
  ["", [...ours, "--ci"]],
  ["--watchAll src --bail 1", [...ours, "--ci", "src"]],
  ["--watch=true --bail -i", [...ours, "--ci", "-i"]],
  ["--reporters jest-junit", [`--reporters=${reporter}`, "--bail=0", "--ci", "--reporters", "jest-junit"]],
])("jest %s runs once, with our reporter", (command, expected) => {
  expect(words(command)).toEqual(expected);
});

test("an order is chosen where the version knows one", () => {
  expect(words("", { shuffleSeed: 3 })).toEqual([
    ...ours,
    "--randomize",
    "--seed=3",
    "--testLocationInResults",
    "--ci",
  ]);
  expect(words("", { shuffleSeed: 3 }, "29.4.3")).toEqual([...ours, "--ci"]);
  expect(words("", { shuffleSeed: 3 }, "")).toEqual([...ours, "--ci"]);
});

test("chosen files take the place of the command's, and values of options stay", () => {
  const command = "src/ --config unit.json --shard 1/2 -t old --coverage test/b --findRelatedTests src/c.js";
  const chosen = words(command, { select: ["test/a.test.js > outer > name", "test/a.test.js > other"] });
  expect(chosen.slice(0, 6)).toEqual([
    ...ours,
    "--testNamePattern=^\\s*(?:outer(?: | > )name(?:$|(?: | > ))|other(?:$|(?: | > )))",
    "--ci",
    "--runTestsByPath",
  ]);
  expect(chosen[6]).toMatch(/\/test\/a\.test\.js$/);
  expect(chosen.slice(7)).toEqual(["--config", "unit.json", "--coverage"]);
});
