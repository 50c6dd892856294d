import assert from "node:assert/strict";
import { test } from "node:test";
import { clock, minutes } from "../src/time.js";

test("minutes and clock undo each other", () => {
  assert.equal(minutes("09:30"), 570);
  assert.equal(clock(570), "09:30");
});

test("a text that is no time is refused", () => {
  assert.throws(() => minutes("9:30"), /not a time: 9:30/);
});
