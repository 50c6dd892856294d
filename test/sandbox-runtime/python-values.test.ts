import { afterAll, beforeAll, expect, test } from "vitest";
import { SupervisorProcess } from "./supervisor-process.ts";

let shared: SupervisorProcess;
beforeAll(async () => {
  shared = await SupervisorProcess.start();
});
afterAll(() => shared[Symbol.asyncDispose]());

test.each([
  ["1 + 1", "2"],
  ["x = 5", null],
  ["None", null],
  ["'a' 'b'", "'ab'"],
  ["", null],
  ["# only a comment", null],
  ["if True:\n  7", null],
  ["[1, {2: (3,)}, {4}, frozenset(), ()]", "[1, {2: (3,)}, {4}, frozenset({}), ()]"],
  ["10 ** 5000", "<int of 16610 bits>"],
  ["list(range(1000))[:3]", "[0, 1, 2]"],
  ["import decimal; decimal.Decimal('1.5')", "Decimal('1.5')"],
  ["class Cart:\n  def __init__(self): self.items = [1]; self.password = 'x'\nCart()", "<Cart items=[1] password='x'>"],
  ["a = []; a.append(a); a", "[[...]]"],
  ["class Bad:\n  def __repr__(self): raise SystemExit\n[Bad()]", "[<Bad object: repr() raised SystemExit>]"],
])("gives the value of the last expression of %j", async (code, value) => {
  expect(await shared.execute(code)).toMatchObject({ status: "ok", value, stderr: { text: "" } });
});

test("bounds values that are large, endless or slow", async () => {
  const large = await shared.execute("list(range(10_000_000))");
  expect(large.value?.length).toBeLessThan(16_400);
  expect(large.value).toContain("9999800 more");
  const text = await shared.execute("'x' * 10_000_000");
  expect(text.value?.length).toBeLessThan(16_400);
  const slow = await shared.execute("class Slow:\n  def __repr__(self):\n    while True: pass\nSlow()");
  expect(slow).toMatchObject({ status: "ok", value: "<Slow object: repr() raised TimeIsUp>" });
  expect(slow.durationMs).toBeLessThan(5_000);
});
