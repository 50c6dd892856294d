import { expect, test } from "vitest";
import { describeRun } from "../../src/runner/describe-run.ts";
import { printedIn } from "../../src/runner/printed.ts";
import { commandRun, pytestRun, runResult, testCase } from "../builders/test-run.ts";

const failing = testCase("tests/test_cart.py::test_total", "failed", {
  message: "assert 30 == 27",
  assertion: { operator: "==", produced: "30", expected: "27" },
  exception: {
    type: "AssertionError",
    message: "assert 30 == 27",
    frames: [
      {
        file: "/work/tests/test_cart.py",
        line: 9,
        function: "test_total",
        source: "assert cart.total() == 27",
        locals: { cart: "Cart(2 items)" },
      },
      {
        file: "/work/src/cart.py",
        line: 14,
        function: "total",
        source: "return subtotal",
        locals: { subtotal: "30", rate: "0.1" },
      },
    ],
  },
});

test("a failure shows the difference and the frames with their locals", () => {
  const run = pytestRun({}, { tests: [failing, testCase("tests/test_cart.py::test_empty", "passed")], exitCode: 1 });
  expect(describeRun(run)).toMatchInlineSnapshot(`
    "1 passed, 1 failed in 0.12 s (exit status 1).
    FAILED tests/test_cart.py::test_total
      produced: 30
      expected: 27  (==)
      AssertionError: assert 30 == 27
        at tests/test_cart.py:9 in test_total
            > assert cart.total() == 27
            cart = Cart(2 items)
        at src/cart.py:14 in total
            > return subtotal
            subtotal = 30
            rate = 0.1"
  `);
});

test("chosen ids come first, and what is not described is named", () => {
  const run = pytestRun({ "a::1": "failed", "a::2": "failed", "a::3": "failed" });
  const text = describeRun(run, { ids: ["a::3"], most: 1 });
  expect(text).toContain("FAILED a::3");
  expect(text).toContain("also red: a::1, a::2");
});

test("a plain command shows its ending and its output", () => {
  const run = { ...commandRun(2), result: runResult({ exitCode: 2, stderr: { text: "boom\n", droppedBytes: 0 } }) };
  expect(describeRun(run)).toBe("The command ended in 0.12 s: exit status 2.\nstderr:\nboom");
});

test("a run that hung says which test was running, and where", () => {
  const run = pytestRun(
    { "a::1": "passed" },
    {
      collected: ["a::1", "a::2"],
      complete: false,
      status: "timeout",
      exitCode: null,
      stack: 'File "/work/a.py", line 3 in wait',
    },
  );
  const text = describeRun(run);
  expect(text).toContain("stopped at the time limit");
  expect(text).toContain("running was: a::2");
  expect(text).toContain("line 3 in wait");
});

test("what passed only when tried again is named, and a red run without a red test shows what was printed", () => {
  const tests = [testCase("a::1", "passed", { attempts: 3 })];
  const stderr = { text: "ERROR: Coverage for lines (2%) does not meet global threshold (90%)\n", droppedBytes: 0 };
  const text = describeRun(pytestRun({}, { tests, exitCode: 1, stderr }));
  expect(text).toContain("passed only when tried again: a::1 (attempt 3)");
  expect(text).toContain("does not meet global threshold");
});

test("what failing tests printed is shown, each stream of a file once, and only behind the failure", () => {
  const ofFile = "--- console of the file ---\nset up";
  const lines = Array.from({ length: 900 }, (_, index) => `row ${index}`).join("\n");
  const first = { ...failing, id: "a.js > one", message: `assert\n${ofFile}\n--- stdout ---\nrate = 0.1` };
  const second = { ...failing, id: "a.js > two", message: `assert\n${ofFile}\n--- stderr ---\n${lines}` };
  const text = describeRun(pytestRun({}, { tests: [first, second], exitCode: 1 }));
  expect(text).toMatch(
    /subtotal = 30\n.*rate = 0\.1\n {2}console of the file:\n {4}set up\n {2}stdout:\n {4}rate = 0\.1\nFAILED/,
  );
  expect(text.match(/set up/g)).toHaveLength(1);
  expect(text).toMatch(/ {2}stderr:\n {4}row 0\n.*lines left out.*row 899$/s);
  expect(text.length).toBeLessThan(4_000);
});

test.each([
  [
    "Traceback\nAssertionError\n--- Captured stdout call ---\na\n--- Captured log setup ---\nb\n",
    "Captured stdout call",
    "b",
  ],
  ["Traceback\nAssertionError\n\nStdout:\na\n\nStderr:\nb\n", "Stdout", "b"],
])("streams are found by their titles: %j", (message, title, last) => {
  expect(printedIn(message)).toMatchObject([{ title, text: "a" }, { text: last }]);
});

test("a message without titles holds nothing that was printed", () => {
  expect(printedIn("Error: --- stdout --- is no title\n--- a/file ---\nx")).toEqual([]);
});
