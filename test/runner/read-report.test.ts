import { expect, test } from "vitest";
import { hangOf, readReport } from "../../src/runner/read-report.ts";
import { runResult } from "../builders/test-run.ts";

const start = { kind: "start", runner: "pytest", version: "8.3.5" };
const end = { kind: "end", exitStatus: 0 };
const frame = { file: "/work/a.py", line: 3, function: "f", source: "x", locals: { n: "1" } };

function bytes(...lines: readonly (object | string)[]): Buffer {
  return Buffer.from(lines.map((line) => (typeof line === "string" ? line : `${JSON.stringify(line)}\n`)).join(""));
}

function read(lines: readonly (object | string)[], exitCode = 0) {
  return readReport(runResult({ exitCode, report: bytes(...lines) }));
}

function passed(id: string, overrides: object = {}) {
  return { kind: "test", id, file: id.split("::")[0] ?? id, status: "passed", durationMs: 1, ...overrides };
}

test("a whole report has every test, and defaults for what a passed test leaves out", () => {
  const failed = passed("a.py::f", {
    status: "failed",
    message: "assert 1 == 2",
    exception: { type: "AssertionError", message: "assert 1 == 2", frames: [frame] },
    assertion: { operator: "==", produced: "1", expected: "2" },
  });
  const lines = [start, { kind: "collected", ids: ["a.py::p"] }, { kind: "collected", ids: ["a.py::f"] }];
  expect(read([...lines, passed("a.py::p"), failed, { ...end, exitStatus: 1 }], 1)).toEqual({
    collected: ["a.py::p", "a.py::f"],
    tests: [
      { id: "a.py::p", file: "a.py", status: "passed", durationMs: 1, message: "", exception: null, assertion: null },
      {
        id: "a.py::f",
        file: "a.py",
        status: "failed",
        durationMs: 1,
        message: "assert 1 == 2",
        exception: { type: "AssertionError", message: "assert 1 == 2", frames: [frame] },
        assertion: { operator: "==", produced: "1", expected: "2" },
      },
    ],
    complete: true,
  });
});

test("nothing, and something that no plugin writes, is no report", () => {
  expect(readReport(runResult({ report: null }))).toBeNull();
  expect(read([""])).toBeNull();
  expect(read(["garbage\n", start, end])).toBeNull();
  expect(read([start, { kind: "unknown" }, end])).toBeNull();
  expect(read([start, passed("a", { status: "green" }), end])).toBeNull();
  expect(read([start, "\n", end])).toBeNull();
  expect(readReport(runResult({ report: Buffer.from([0xff, 0xfe, 0x0a]) }))).toBeNull();
});

test("a last line that was cut off is left out, and one that only lacks its line end counts", () => {
  const whole = JSON.stringify(passed("b"));
  const cut = read([start, passed("a"), whole.slice(0, -3)]);
  expect(cut).toMatchObject({ tests: [{ id: "a" }], complete: false });
  expect(read([start, whole])?.tests).toMatchObject([{ id: "b" }]);
});

test("a report is complete when every session ended, nothing follows, and the exit status agrees", () => {
  const complete = (lines: readonly object[], exitCode = 0) => read(lines, exitCode)?.complete;
  expect(complete([start, end])).toBe(true);
  expect(complete([start])).toBe(false);
  expect(complete([end])).toBe(false);
  expect(complete([start, end, start])).toBe(false);
  expect(complete([start, end, passed("late")])).toBe(false);
  expect(complete([start, { kind: "end" }])).toBe(true);
  expect(complete([start, { kind: "end", exitStatus: 5 }])).toBe(false);
  expect(complete([start, { kind: "end", exitStatus: 5 }], 5)).toBe(true);
  expect(complete([start, end], 1)).toBe(true);
  expect(complete([start, { kind: "problem", id: "conftest.py" }, end])).toBe(false);
});

test("of a test that is reported twice the worse result counts", () => {
  const failed = passed("a", { status: "failed" });
  expect(read([start, failed, passed("a"), end])?.tests).toMatchObject([{ status: "failed" }]);
  expect(read([start, passed("a"), failed, end])?.tests).toMatchObject([{ status: "failed" }]);
});

test("texts and lists are cut to what an honest plugin writes", () => {
  const locals = Object.fromEntries(Array.from({ length: 70 }, (_, index) => [`n${index}`, "x".repeat(9_000)]));
  const deep = (depth: number): object => ({
    type: "E",
    message: "",
    frames: [],
    ...(depth > 0 && { cause: deep(depth - 1) }),
  });
  const frames = Array.from({ length: 61 }, (_, index) => (index === 60 ? { ...frame, locals } : frame));
  const huge = passed("a", { status: "failed", message: "x".repeat(1_000_000), exception: { ...deep(50), frames } });
  const [only] = read([start, huge, end])?.tests ?? [];
  expect(only?.message).toHaveLength(16_000);
  expect(only?.exception?.frames).toHaveLength(60);
  expect(Object.keys(only?.exception?.frames.at(-1)?.locals ?? {})).toHaveLength(60);
  expect(only?.exception?.frames.at(-1)?.locals["n0"]).toHaveLength(8_000);
  expect(JSON.stringify(only?.exception).match(/"cause"/g)).toHaveLength(5);
});

test("the error that ended a file's process is that file's, with the place that node printed", () => {
  const crash = { kind: "crash", file: "a.js", exception: { type: "SyntaxError", message: "odd", frames: [] } };
  const printed = { type: "SyntaxError", message: "odd", frames: [{ ...frame, file: "/work/a.js" }] };
  const file = passed("a.js", { status: "error", exception: printed });
  const other = passed("a.js > x", { status: "failed", file: "a.js" });
  expect(read([start, crash, file, other, end], 1)?.tests).toMatchObject([
    { id: "a.js", exception: { message: "odd", frames: [{ file: "/work/a.js" }] } },
    { id: "a.js > x", exception: null },
  ]);
});

test("where a process hung is told in words, and its test counts as collected", () => {
  const hang = { kind: "hang", file: "a.js", test: "outer > x", frames: [{ ...frame, function: "spin" }] };
  const report = bytes(start, { kind: "collected", ids: ["a.js > first"] }, hang);
  expect(hangOf(report)).toBe("in a.js > outer > x\n  at /work/a.py:3 in spin\n    > x\n      n = 1");
  expect(readReport(runResult({ exitCode: null, report }))?.collected).toEqual(["a.js > first", "a.js > outer > x"]);
  expect(hangOf(bytes(start, { ...hang, frames: [] }))).toBeNull();
  expect(hangOf(null)).toBeNull();
});

test("a test that hung comes first, and attempts are kept", () => {
  const hang = { kind: "hang", file: "a.ts", test: "b", frames: [] };
  const lines = [
    start,
    { kind: "collected", ids: ["a.ts > a", "a.ts > b"] },
    passed("a.ts > c", { attempts: 2 }),
    hang,
  ];
  expect(read(lines)).toMatchObject({ collected: ["a.ts > b", "a.ts > a"], tests: [{ attempts: 2 }], complete: false });
});
