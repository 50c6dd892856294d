import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { runOf } from "../../src/job/job-trace.ts";
import { isRunOver } from "../../src/job/run-over.ts";
import { storeJob } from "../store/job-row.ts";
import { dialects, useStore } from "../store/use-store.ts";

describe.each(dialects)("on %s", (dialect) => {
  const opened = useStore(dialect);

  test.each([
    ["the attempt that runs", { state: "active", running: true, attempts: 2 }, 2, false],
    ["an attempt whose claim passed to another worker", { state: "active", running: true, attempts: 2 }, 1, true],
    ["an attempt of a job that waits for the next one", { state: "active", running: false, attempts: 2 }, 2, true],
    ["an attempt of a job that ended", { state: "ended", running: false, attempts: 1 }, 1, true],
  ] as const)("%s", async (_, fields, attempt, isOver) => {
    const { database } = opened();
    const { id } = await storeJob(database, fields);
    expect(await isRunOver(database, runOf({ id, attempt }))).toBe(isOver);
  });

  test.each([randomUUID(), "start", "", `${randomUUID()}.x`, "20260102T030405-abcdef"])(
    "%j is no run that it could judge",
    async (run) => {
      expect(await isRunOver(opened().database, run)).toBe(false);
    },
  );
});
