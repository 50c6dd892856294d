import assert from "node:assert/strict";
import { test } from "node:test";
import { endOf, fits } from "../src/session.js";

const nine = Date.UTC(2026, 4, 1, 9);

test("a session ends after its length", () => {
  assert.equal(new Date(endOf({ start: nine, length: "1h 30m" })).toISOString(), "2026-05-01T10:30:00.000Z");
});

test("a session that begins later fits behind it", () => {
  assert.equal(fits({ start: nine, length: "45m" }, { start: nine + 3_600_000 }), true);
});

test("one that overlaps does not", () => {
  assert.equal(fits({ start: nine, length: "2h" }, { start: nine + 3_600_000 }), false);
});
