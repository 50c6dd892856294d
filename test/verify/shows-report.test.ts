import { expect, test } from "vitest";
import type { TestCase } from "../../src/runner/report.ts";
import type { Frame } from "../../src/sandbox/sandbox.ts";
import { whyItShowsNothing } from "../../src/verify/shows-report.ts";

const path = "tests/test_a.py";
const text = "from shop import total\n\n\ndef test_a():\n    assert total([1]) == 1\n";

function frame(file: string, line = 5): Frame {
  return { file: `/work/${file}`, line, function: "f", source: "", locals: {} };
}

/** A test that failed in its own line, after it had called the project. */
function failed(overrides: Partial<TestCase> & { type?: string; message?: string; frames?: Frame[] } = {}): TestCase {
  const { type = "AssertionError", message = "assert 2 == 1", frames = [frame(path)], ...rest } = overrides;
  const exception = { type, message, frames };
  return {
    ...{ id: `${path}::test_a`, file: path, status: "failed", durationMs: 1, message: "" },
    ...{ exception, assertion: null, reached: ["shop/cart.py"], ...rest },
  };
}

function judge(test: TestCase, source = text): string | null {
  return whyItShowsNothing(test, { path, text: source });
}

test("a failing assertion about what the project gave may show a report, and so may an error inside of the project", () => {
  expect(judge(failed())).toBeNull();
  expect(
    judge(failed({ type: "KeyError", message: "'x'", frames: [frame(path), frame("shop/cart.py")], reached: [] })),
  ).toBeNull();
});

test("where no runner tells what was reached, the proof decides", () => {
  expect(judge(failed({ reached: undefined }))).toBeNull();
});

test("the project may run in another process", () => {
  expect(judge(failed({ reached: [] }), `import subprocess\n${text}`)).toBeNull();
});

test.each<[string, TestCase, RegExp]>([
  ["set-up that fails", failed({ status: "error" }), /set-up/],
  ["no exception", failed({ exception: null }), /without an exception/],
  ["a failure elsewhere", failed({ frames: [frame("tests/conftest.py")] }), /did not fail in a line/],
  ["no project code", failed({ reached: [] }), /ran no function of the project/],
  ["other tests' code only", failed({ reached: ["tests/helpers.py", "conftest.py"] }), /ran no function/],
  [
    "a name that nobody defined",
    failed({ type: "NameError", message: "name 'totl' is not defined" }),
    /fault of the test/,
  ],
  ["a missing file of its own", failed({ type: "FileNotFoundError", message: "data.json" }), /fault of the test/],
  [
    "an import in the body",
    failed({ type: "ModuleNotFoundError", message: "No module named 'x'" }),
    /fault of the test/,
  ],
  ["a missing file in Node", failed({ type: "Error", message: "ENOENT: no such file" }), /fault of the test/],
])("%s shows nothing", (_, test, why) => {
  expect(judge(test)).toMatch(why);
});

test("an error that the project raises in the same way is the project's", () => {
  const frames = [frame(path), frame("shop/cart.py", 3)];
  expect(judge(failed({ type: "NameError", message: "name 'x' is not defined", frames }))).toBeNull();
});

test("an assertion about constants shows nothing, whatever was called before", () => {
  expect(judge(failed(), "from shop import total\n\n\ndef test_a():\n    assert False\n")).toMatch(
    /line 5.*constants only/,
  );
});
