import { expect, test } from "vitest";
import { ShownObservations } from "../../src/loop/shown-observations.ts";

const call = (name: string, args = "{}") => ({ id: "1", name, arguments: args });

const lines = (count: number, mark = "") => Array.from({ length: count }, (_, n) => `line ${n} of the output${mark}`);
const whole = (headline: string, mark = "") => [headline, ...lines(40, mark)].join("\n");

test("what is shown the first time is shown whole", () => {
  const shown = new ShownObservations("");
  expect(shown.shape(call("shell", '{"command":"make"}'), 1, whole("exit status 1"))).toBe(whole("exit status 1"));
});

test("a repeat says how it ended, and that the rest is the same, times aside", () => {
  const shown = new ShownObservations("");
  shown.shape(call("shell"), 1, `${whole("exit status 1, 0.20 s")}\ntook 12.5 ms at 0x7f00aa10`);
  expect(shown.shape(call("shell"), 4, `${whole("exit status 1, 0.31 s")}\ntook 9 ms at 0x7f00bb20`)).toBe(
    "exit status 1, 0.31 s\n[The rest is the same as in iteration 1.]",
  );
});

test("a repeat with a change is sent as its difference to what was shown whole", () => {
  const shown = new ShownObservations("");
  shown.shape(call("read_file"), 1, whole("src/cart.py"));
  const changed = whole("src/cart.py").replace("line 7 of", "line seven of");
  const again = shown.shape(call("read_file"), 2, changed);
  expect(again).toMatchInlineSnapshot(`
    "src/cart.py
    [The rest is as in iteration 1, but for lines that are gone (-) and lines that are new (+):]
      …
      line 6 of the output
    - line 7 of the output
    + line seven of the output
      line 8 of the output
      …"
  `);
  expect(shown.shape(call("read_file"), 3, changed)).toBe(again);
});

test("a difference that is no shorter is not sent, and the new text is what later ones are compared with", () => {
  const shown = new ShownObservations("");
  shown.shape(call("shell"), 1, whole("a"));
  expect(shown.shape(call("shell"), 2, whole("b", "!"))).toBe(whole("b", "!"));
  expect(shown.shape(call("shell"), 3, whole("c", "!"))).toContain("same as in iteration 2");
});

test("short observations are repeated as they are", () => {
  const shown = new ShownObservations("");
  shown.shape(call("shell"), 1, "exit status 0");
  expect(shown.shape(call("shell"), 2, "exit status 0")).toBe("exit status 0");
});

test("another call is another matter", () => {
  const shown = new ShownObservations("");
  shown.shape(call("shell", '{"command":"a"}'), 1, whole("x"));
  expect(shown.shape(call("shell", '{"command":"b"}'), 2, whole("x"))).toBe(whole("x"));
});

test("the first run of the target is compared with the failure that the conversation began with", () => {
  const shown = new ShownObservations(whole("12 passed, 1 failed in 0.50 s (exit status 1)."));
  expect(shown.shape(call("run_tests", ""), 2, whole("0 passed, 1 failed in 0.10 s (exit status 1)."))).toBe(
    "0 passed, 1 failed in 0.10 s (exit status 1).\n[The rest is the same as in the failure at the start.]",
  );
});
