import { expect, test } from "vitest";
import { vitestArguments } from "../../sandbox/plugins/autolith_vitest/arguments.mjs";

const reporter = "/opt/reporter.mjs";
const ours = `--reporter=${reporter}`;
const plain = { select: null, shuffleSeed: null };

function words(command: string, request: { select?: string[]; shuffleSeed?: number } = {}) {
  return vitestArguments(command.split(" ").filter(Boolean), { ...plain, ...request }, reporter);
}

test.each([
  ["", ["run", ours, "--reporter=default", "--bail=0"]],
  ["watch --coverage", ["run", ours, "--reporter=default", "--bail=0", "--coverage"]],
  ["--run --bail 2 src", ["run", ours, "--reporter=default", "--bail=0", "--run", "src"]],
  ["run --reporter dot --watch", ["run", ours, "--bail=0", "--reporter", "dot"]],
  ["related src/a.ts", ["related", "--run", ours, "--reporter=default", "--bail=0", "src/a.ts"]],
  ["run -- --bail 1", ["run", ours, "--reporter=default", "--bail=0", "--", "--bail", "1"]],
  ["bench", null],
  ["list", null],
])("vitest %s becomes one run with our reporter first", (command, expected) => {
  expect(words(command)).toEqual(expected);
});

test("an order is chosen by its seed", () => {
  expect(words("run", { shuffleSeed: 3 })).toContain("--sequence.seed=3");
});

test("chosen files take the place of the command's, and values of options stay", () => {
  process.env["AUTOLITH_WORKSPACE"] = process.cwd();
  const chosen = words("run src/ --project unit --shard 1/2 -t old --coverage src/b", { select: ["src/a.test.ts"] });
  expect(chosen?.slice(2)).toEqual([ours, "--reporter=default", "--bail=0", "--project", "unit", "--coverage"]);
  expect(chosen?.[1]).toMatch(/src\/a\.test\.ts$/);
});

test.each([
  [
    "a.ts > outer > name",
    ["outer name", " outer name", "outer > name", "outer name deeper"],
    ["outer names", "x outer name"],
  ],
  ["a.ts > what (is) 5$ a/b?", ["what (is) 5$ a/b?"], ["what is 5$ a/b"]],
  ["a.ts > same #2", ["same", "same #2"], ["sames"]],
  ["a.ts > [web] > name", ["name", "[web] name"], ["names"]],
])("%s is chosen by a pattern that matches its full name and no other", (id, names, others) => {
  const argument = words("run", { select: [id] })?.find((word) => word.startsWith("--testNamePattern="));
  const pattern = new RegExp(argument?.slice("--testNamePattern=".length) ?? "nothing");
  expect(names.filter((name) => !pattern.test(name))).toEqual([]);
  expect(others.filter((name) => pattern.test(name))).toEqual([]);
});

test("a file that is chosen as a whole leaves no pattern", () => {
  expect(words("run", { select: ["a.ts", "b.ts > x"] })?.join(" ")).not.toContain("--testNamePattern");
});
