import { expect, test } from "vitest";
import type { TestCommand } from "../../src/runner/test-command.ts";
import { shuffledOrder } from "../../src/verify/shuffled-order.ts";
import { pytestRun } from "../builders/test-run.ts";

const command = { shell: "pytest", cwd: "/work", env: {}, runner: "pytest" } as TestCommand;
const target = { command, ids: ["a.py::x"] };
const before = pytestRun({ "a.py::x": "failed", "a.py::y": "passed" });
const green = pytestRun({ "a.py::x": "passed", "a.py::y": "passed" });
const red = pytestRun({ "a.py::x": "failed", "a.py::y": "passed" });
const surprise = async () => Promise.reject(new Error("a run that nobody needs"));

test("an order in which the target is green holds, without a run of the unpatched suite", async () => {
  expect(await shuffledOrder({ target, before, runPatched: async () => green, runUnpatched: surprise })).toEqual({
    kind: "holds",
  });
});

test("a target that is red in another order is red, when the suite itself bears that order", async () => {
  const result = await shuffledOrder({ target, before, runPatched: async () => red, runUnpatched: async () => before });
  expect(result).toEqual({ kind: "red", seed: 1, ids: ["a.py::x"], run: red });
});

test("an order that the unpatched suite does not bear counts for nothing", async () => {
  const broken = pytestRun({ "a.py::x": "failed", "a.py::y": "failed" });
  expect(
    await shuffledOrder({ target, before, runPatched: async () => red, runUnpatched: async () => broken }),
  ).toEqual({ kind: "holds" });
});

test("a slow suite is not run again for its order", async () => {
  const slow = pytestRun({ "a.py::x": "failed" }, { durationMs: 11_000 });
  expect(await shuffledOrder({ target, before: slow, runPatched: surprise, runUnpatched: surprise })).toEqual({
    kind: "holds",
  });
});
