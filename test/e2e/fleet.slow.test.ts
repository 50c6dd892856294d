import { expect, test } from "vitest";
import { startPostgresql } from "../store/postgresql-server.ts";
import { fixer, proposals } from "./expectations.ts";
import { leftOvers } from "./left-overs.ts";
import { concluded, eventually, ownChecks, redRepository, turnRed } from "./red-repository.ts";
import { startService } from "./run-serve.ts";

/** The promise for a job whose worker died. Unit: milliseconds. */
const movesOnWithin = 60_000;

test("two workers and a web process share a PostgreSQL; a dead worker's job moves on within a minute", async () => {
  await using postgresql = await startPostgresql();
  const environment = { DATABASE_URL: await postgresql.createDatabase(), AUTOLITH_CONCURRENCY: "1" };
  await using service = await startService({ environment, role: "web" });
  const workers = [service.beside("worker"), service.beside("worker")] as const;
  await Promise.all(workers.map(({ listening }) => listening));
  const { twin } = service;
  let answers = 0;
  let dead: Promise<unknown> | null = null;
  service.think((conversation) => {
    answers += 1;
    if (answers === 6) dead ??= workers[0].end("SIGKILL");
    return fixer(conversation);
  });
  const reds = [await redRepository(twin), await redRepository(twin), await redRepository(twin)];
  for (const { repository } of reds) {
    await turnRed(twin, repository, "topic");
    await turnRed(twin, repository, "topic");
  }
  await await eventually("a dead worker", () => dead ?? undefined);
  const killed = Date.now();
  const cutOff = attempts(workers[0].log()).at(-1)?.jobId;
  const again = await eventually("another attempt at its job", () =>
    attempts(workers[1].log()).find(({ jobId }) => jobId === cutOff),
  );
  expect(again).toMatchObject({ attempt: 2 });
  for (const red of reds) {
    expect((await concluded(twin, red)).conclusion).toBe("success");
    expect(ownChecks(twin, red.repository, red.sha)).toHaveLength(1);
    expect(proposals(twin, red.repository)).toHaveLength(1);
  }
  expect(again.time - killed).toBeLessThan(movesOnWithin);
  const started = workers
    .flatMap((worker) => attempts(worker.log()))
    .map(({ jobId, attempt }) => `${jobId} ${attempt}`);
  expect(new Set(started).size).toBe(started.length);
  expect(started).toHaveLength(reds.length + 1);
  expect(await leftOvers(service.data)).toEqual([]);
}, 300_000);

interface Attempt {
  readonly jobId: string;
  readonly attempt: number;
  readonly time: number;
}

/** The attempts that a worker began, as it logged them. */
function attempts(log: string): Attempt[] {
  const lines = log.split("\n").filter((line) => line.endsWith('"msg":"job started"}'));
  return lines.map((line) => JSON.parse(line) as Attempt);
}
