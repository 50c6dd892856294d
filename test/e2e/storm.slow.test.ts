import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { fixJobSchema } from "../../src/job/job.ts";
import { openStore } from "../../src/store/open-store.ts";
import * as schema from "../../src/store/schema.ts";
import { startPostgresql } from "../store/postgresql-server.ts";
import { dialects } from "../store/use-store.ts";
import { deliverAll, doubled, type Message, messagesOfRun } from "./deliveries.ts";
import { nobody } from "./expectations.ts";
import { eventually, ownChecks, redRepository } from "./red-repository.ts";
import { type Service, startService } from "./run-serve.ts";
import { foreignJob, type Storm, storm } from "./storm-scene.ts";

/** Printed in the name of the tests: the same order of deliveries for the same seed. */
const seed = Number(process.env["SEED"] ?? Date.now() % 1_000_000);

/** Deliveries under way at once. */
const atATime = 8;

describe.each(dialects)(`on %s, SEED=${seed}`, (dialect) => {
  /** Jobs start while deliveries are still coming. */
  const withService = async (work: (service: Service, databaseUrl: string | undefined) => Promise<void>) => {
    await using stack = new AsyncDisposableStack();
    const databaseUrl = dialect === "pglite" ? undefined : await stack.use(await startPostgresql()).createDatabase();
    const environment = { AUTOLITH_DEBOUNCE_SECONDS: "1", ...(databaseUrl && { DATABASE_URL: databaseUrl }) };
    const service = stack.use(await startService({ environment, deliveries: "by hand" }));
    service.think(nobody);
    await work(service, databaseUrl);
  };

  test(
    "thirty failing checks of a commit within two seconds make one job, which reads them all",
    () =>
      withService(async (service, databaseUrl) => {
        const { twin } = service;
        const { repository, sha } = await redRepository(twin);
        const jobs = Array.from({ length: 30 }, (_, cell) => foreignJob(`test (${cell})`));
        const run = await twin.workflows.run(repository, { branch: "topic", jobs });
        const messages = doubled(messagesOfRun(twin, run), seed);
        const answers = [];
        for (const [index, message] of messages.entries()) {
          answers.push(deliverAll(twin, [message], 1));
          await delay(index % 2 === 0 ? 0 : (2 * 2_000) / messages.length);
        }
        expect((await Promise.all(answers)).flat().map(({ delivery }) => delivery.status)).toEqual(
          messages.map(() => 200),
        );
        await settled(service, [{ repository, sha }]);
        const read = run.jobs.map(
          ({ checkRun }) => `/repos/${repository.owner.login}/words/actions/jobs/${checkRun.id}`,
        );
        const asked = twin.requests.map(({ path }) => path).filter((path) => read.includes(path));
        expect(asked.toSorted()).toEqual(read.toSorted());
        expect(ownChecks(twin, repository, sha)).toHaveLength(1);
        const [job, ...others] = await jobsOf(service, databaseUrl);
        expect(others).toEqual([]);
        expect(job).toMatchObject({ sha, state: "ended", outcome: "environment" });
      }),
    120_000,
  );

  test(
    "two hundred deliveries, doubled and in any order, make a job for each red commit and no other",
    () =>
      withService(async (service, databaseUrl) => {
        const storming = await storm(service.twin, 4);
        const messages = doubled(storming.messages, seed);
        expect(messages).toHaveLength(200);
        const answers = await deliverAll(service.twin, messages, atATime);
        expect(answers.filter(({ delivery }) => delivery.status !== 200)).toEqual([]);
        await expectOneJobEach(service, databaseUrl, storming);
      }),
    300_000,
  );

  test(
    "the same when the service is killed and stopped on the way, and what got no answer is delivered again",
    () =>
      withService(async (service, databaseUrl) => {
        const storming = await storm(service.twin, 4);
        let waiting = doubled(storming.messages, seed);
        for (const how of ["kill", "stop"] as const) {
          const unanswered = await breakOff(service, how, waiting.slice(0, 70));
          await service.start();
          waiting = [...unanswered, ...waiting.slice(70)];
        }
        const answers = await deliverAll(service.twin, waiting, atATime);
        expect(answers.filter(({ delivery }) => delivery.status !== 200)).toEqual([]);
        await expectOneJobEach(service, databaseUrl, storming);
      }),
    300_000,
  );
});

/** Ends the service after some of the messages; gives those without an answer, and all others have a good one. */
async function breakOff(service: Service, how: "kill" | "stop", messages: readonly Message[]): Promise<Message[]> {
  const half = messages.length / 2;
  const before = await deliverAll(service.twin, messages.slice(0, half), atATime);
  const delivering = deliverAll(service.twin, messages.slice(half), atATime);
  await service[how]();
  const answers = [...before, ...(await delivering)];
  const lost = answers.filter(({ delivery }) => delivery.status === 0);
  expect(lost).not.toEqual([]);
  expect(answers.filter(({ delivery }) => ![0, 200].includes(delivery.status))).toEqual([]);
  return lost.map(({ message }) => message);
}

/** Waits until every commit has a completed check run of ours, and long enough for a job too many to begin. */
async function settled(service: Service, heads: readonly Pick<Storm["heads"][number], "repository" | "sha">[]) {
  for (const { repository, sha } of heads) {
    await eventually(
      `a completed check run on ${sha}`,
      () => ownChecks(service.twin, repository, sha).find(({ status }) => status === "completed"),
      120_000,
    );
  }
  await delay(4_000);
}

async function expectOneJobEach(service: Service, databaseUrl: string | undefined, storming: Storm): Promise<void> {
  const { heads, overtaken, asked } = storming;
  await settled(service, heads);
  const told = heads.map(({ repository, sha }) => ownChecks(service.twin, repository, sha).map(({ status }) => status));
  expect(told).toEqual(heads.map(() => ["completed"]));
  const replies = asked.map(({ comments }) => comments.filter(({ body }) => body.includes("/autolith stop")));
  expect(replies.map(({ length }) => length)).toEqual(asked.map(() => 1));
  const jobs = await jobsOf(service, databaseUrl);
  const late = jobs.filter(({ sha }) => overtaken.includes(sha ?? ""));
  expect(late.filter(({ outcome }) => outcome !== "stale" && outcome !== "cancelled")).toEqual([]);
  expect(new Set(late.map(({ sha }) => sha)).size).toBe(late.length);
  const rest = jobs.filter((job) => !late.includes(job));
  const seen = rest.map(({ repositoryId, sha, state, outcome }) => ({ repositoryId, sha, state, outcome }));
  const ended = { state: "ended", outcome: "environment" };
  const wanted = heads.map(({ repository, sha }) => ({ repositoryId: repository.id, sha, ...ended }));
  expect(inOrder(seen)).toEqual(inOrder(wanted));
  const causes = new Map(rest.map(({ sha, work }) => [sha, fixJobSchema.parse(work).causes]));
  for (const { sha, failing } of heads) {
    expect(
      causes
        .get(sha)
        ?.map((cause) => cause.kind === "check" && cause.name)
        .sort(),
    ).toEqual(failing);
  }
}

function inOrder<Row extends { readonly sha: string | null }>(rows: readonly Row[]): Row[] {
  return rows.toSorted((left, right) => (left.sha ?? "").localeCompare(right.sha ?? ""));
}

/** All jobs that the service made, read after its end. */
async function jobsOf(service: Service, databaseUrl: string | undefined): Promise<(typeof schema.jobs.$inferSelect)[]> {
  expect(await service.stop()).toBe(0);
  await using store = await openStore({ databaseUrl, dataDirectory: service.data }, () => {});
  return await store.database.select().from(schema.jobs);
}
