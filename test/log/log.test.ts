import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { logSparingly } from "../../src/log/sparing.ts";
import { capturedLog } from "../server/captured-log.ts";

test("what libraries hang on their errors is not logged", () => {
  const { log, text, lines } = capturedLog();
  const inner = Object.assign(new Error("inner", { cause: new Error("root") }), { event: { payload: "private" } });
  log.error(Object.assign(new AggregateError([inner], "outer"), { event: { payload: "private" }, request: "private" }));
  expect(lines("outer")[0]).toMatchObject({
    err: { type: "AggregateError", message: "outer", errors: [{ message: "inner", cause: { message: "root" } }] },
  });
  expect(text()).not.toContain("private");
});

test("an error that goes round in circles is logged", () => {
  const { log, lines } = capturedLog();
  const error = new Error("round");
  error.cause = error;
  log.error(error);
  expect(lines("round")).toHaveLength(1);
});

test("secrets are removed from every line, and the lines stay JSON", () => {
  const { log, text, lines } = capturedLog(['a "quoted" secret']);
  log.info({ token: "ghs_0123456789abcdefghij0123456789abcdefghij" }, "with a token");
  log.info('it is a "quoted" secret');
  expect(text()).not.toMatch(/ghs_0|quoted/);
  expect(lines("with a token")).toHaveLength(1);
});

test("a flood of errors is logged now and then, with how many were left out", async () => {
  const { log, lines } = capturedLog();
  const tell = logSparingly(log, "down", 30);
  for (let times = 0; times < 5; times += 1) tell(new Error("down"));
  await delay(40);
  tell(new Error("still down"));
  expect(lines("down").map(({ leftOut }) => leftOut)).toEqual([0, 4]);
});
