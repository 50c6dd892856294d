import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Calendar } from "../src/calendar.js";

describe("Calendar", () => {
  test("an empty day is free", () => {
    assert.deepEqual(new Calendar("09:00", "17:00").free(), ["09:00-17:00"]);
  });

  test("a booking splits the day", () => {
    const calendar = new Calendar("09:00", "17:00");
    calendar.book("12:00", "13:00");
    assert.deepEqual(calendar.free(), ["09:00-12:00", "13:00-17:00"]);
  });

  test("bookings may be made in any order", () => {
    const calendar = new Calendar("09:00", "17:00");
    calendar.book("15:00", "16:00");
    calendar.book("10:00", "11:00");
    assert.deepEqual(calendar.free(), ["09:00-10:00", "11:00-15:00", "16:00-17:00"]);
  });

  test("a long booking hides a short one inside it", () => {
    const calendar = new Calendar("09:00", "17:00");
    calendar.book("10:00", "16:00");
    calendar.book("11:00", "12:00");
    assert.deepEqual(calendar.free(60), ["09:00-10:00", "16:00-17:00"]);
  });

  test("short gaps are left out", () => {
    const calendar = new Calendar("09:00", "12:00");
    calendar.book("09:15", "11:00");
    assert.deepEqual(calendar.free(30), ["11:00-12:00"]);
  });
});
