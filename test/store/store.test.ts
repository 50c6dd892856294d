import { randomUUID } from "node:crypto";
import { getTableColumns, getTableName, sql } from "drizzle-orm";
import { getTableConfig } from "drizzle-orm/pg-core";
import { describe, expect, test } from "vitest";
import { checkDatabase } from "../../src/store/database.ts";
import { forgetDeliveries, recordDelivery } from "../../src/store/deliveries.ts";
import { recordPush } from "../../src/store/heads.ts";
import * as jobs from "../../src/store/jobs.ts";
import * as schema from "../../src/store/schema.ts";
import { anyCommit, findStanding, type StandingKey } from "../../src/store/standing.ts";
import { freshId, storeJob } from "./job-row.ts";
import { dialects, useStore } from "./use-store.ts";

describe.each(dialects)("on %s", (dialect) => {
  const opened = useStore(dialect);

  test("the migrated tables are those of the schema", async () => {
    const { database } = opened();
    const columns = sql`select table_name, column_name, is_nullable from information_schema.columns
      where table_schema = 'autolith' and table_name <> 'migrations'`;
    const found = (await database.execute(columns)).rows as Record<string, string>[];
    const tables = [schema.deliveries, schema.jobs, schema.heads, schema.refusals, schema.repositories];
    const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const expected = tables.flatMap((table) =>
      Object.entries(getTableColumns(table)).map(([name, column]) => [
        `${getTableName(table)}.${snake(name)}`,
        column.notNull || column.primary,
      ]),
    );
    const actual = found.map((row) => [`${row["table_name"]}.${row["column_name"]}`, row["is_nullable"] === "NO"]);
    expect(Object.fromEntries(actual)).toEqual(Object.fromEntries(expected));
  });

  test("the migrated indexes of jobs are those of the schema", async () => {
    const found = sql`select indexname from pg_indexes where schemaname = 'autolith' and tablename = 'jobs'`;
    const names = (await opened().database.execute(found)).rows.map((row) => (row as { indexname: string }).indexname);
    const expected = getTableConfig(schema.jobs).indexes.map((index) => index.config.name);
    expect(names.filter((name) => name !== "jobs_pkey").sort()).toEqual([...expected].sort());
  });

  test("the database answers", async () => {
    await expect(checkDatabase(opened())).resolves.toBeUndefined();
  });

  test("a delivery is recorded once, however many arrive at the same time", async () => {
    const { database } = opened();
    const guid = randomUUID();
    const attempts = Array.from({ length: 8 }, () =>
      database.transaction((transaction) => recordDelivery(transaction, { guid, event: "check_run" })),
    );
    expect((await Promise.all(attempts)).filter(Boolean)).toHaveLength(1);
  });

  test("a delivery whose transaction is rolled back can be delivered again", async () => {
    const { database } = opened();
    const delivery = { guid: randomUUID(), event: "check_run" };
    const crash = database.transaction(async (transaction) => {
      await recordDelivery(transaction, delivery);
      throw new Error("the process crashed");
    });
    await expect(crash).rejects.toThrow("crashed");
    expect(await recordDelivery(database, delivery)).toBe(true);
  });

  test("deliveries are forgotten by their age", async () => {
    const { database } = opened();
    const delivery = { guid: randomUUID(), event: "check_run" };
    await recordDelivery(database, delivery);
    await forgetDeliveries(database, new Date(Date.now() - 60_000));
    expect(await recordDelivery(database, delivery)).toBe(false);
    await forgetDeliveries(database, new Date(Date.now() + 60_000));
    expect(await recordDelivery(database, delivery)).toBe(true);
  });

  test("a job comes back as it was stored", async () => {
    const { database } = opened();
    const row = await storeJob(database, {
      work: { kind: "fix", hint: "ümläut 🙂" },
      checkRunId: 9_007_199_254_740_991,
    });
    expect(await jobs.findJob(database, row.id)).toEqual({
      ...row,
      ending: null,
      attempts: 0,
      failures: 0,
      running: false,
      commentId: null,
      pullRequest: null,
      failure: null,
      spend: null,
      resume: null,
      outcome: null,
      reason: null,
      createdAt: expect.any(Date),
      startedAt: null,
      endedAt: null,
    });
  });

  test("a key has at most one queued and one active job", async () => {
    const { database } = opened();
    const { key, repositoryId } = await storeJob(database);
    await expect(storeJob(database, { key, repositoryId })).rejects.toThrow();
    const active = await storeJob(database, { key, repositoryId, state: "active" });
    await expect(storeJob(database, { key, repositoryId, state: "active" })).rejects.toThrow();
    await storeJob(database, { key, repositoryId, state: "ended" });
    const open = await jobs.findOpenJobs(database, key);
    expect([open.queued?.state, open.active?.id]).toEqual(["queued", active.id]);
  });

  test("the lock of a key lets one transaction in at a time", async () => {
    const { database } = opened();
    const order: string[] = [];
    const enter = (name: string) =>
      database.transaction(async (transaction) => {
        await jobs.lockKeys(transaction, "one key");
        order.push(`${name} in`);
        await transaction.execute(sql`select pg_sleep(0.02)`);
        order.push(`${name} out`);
      });
    await Promise.all(["a", "b", "c"].map(enter));
    expect(order.map((entry) => entry.split(" ")[1])).toEqual(["in", "out", "in", "out", "in", "out"]);
  });

  test("a new delivery locks its keys until its transaction ends, and one that is known locks nothing", async () => {
    const { database } = opened();
    const known = { guid: randomUUID(), event: "check_run" };
    const locks = sql`select count(*)::int as held from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()`;
    const held = (delivery: typeof known, keys: readonly string[]) =>
      database.transaction(async (transaction) => {
        const isNew = await recordDelivery(transaction, delivery, keys);
        return [isNew, ...(await transaction.execute(locks)).rows];
      });
    expect(await held(known, ["one key", "its other key"])).toEqual([true, { held: 2 }]);
    expect(await held(known, ["one key", "its other key"])).toEqual([false, { held: 0 }]);
    expect(await held({ ...known, guid: randomUUID() }, [])).toEqual([true, { held: 0 }]);
  });

  test("an update by an attempt that is not the current one has no effect", async () => {
    const { database } = opened();
    const { id } = await storeJob(database, { state: "active", attempts: 2 });
    expect(await jobs.updateAttempt(database, { id, attempt: 1 }, { checkRunId: 1 })).toBe(false);
    expect(await jobs.updateAttempt(database, { id, attempt: 2 }, { checkRunId: 2 })).toBe(true);
    expect((await jobs.findJob(database, id))?.checkRunId).toBe(2);
  });

  test("endings are found for the jobs that have one", async () => {
    const { database } = opened();
    const ending = { cause: "stopped", outcome: "cancelled", reason: "stopped by a command" };
    const [ends, goesOn] = [await storeJob(database, { ending }), await storeJob(database)];
    expect(await jobs.findEndings(database, [ends.id, goesOn.id])).toEqual(new Map([[ends.id, ending]]));
    expect(await jobs.findEndings(database, [])).toEqual(new Map());
  });

  test("ended jobs of a commit are found, latest first, and those without a commit apart", async () => {
    const { database } = opened();
    const repositoryId = freshId();
    const ended = { repositoryId, state: "ended" } as const;
    const older = await storeJob(database, { ...ended, createdAt: new Date("2026-01-01") });
    const newer = await storeJob(database, { ...ended, createdAt: new Date("2026-01-02") });
    const other = await storeJob(database, { ...ended, sha: null });
    const ids = async (sha: StandingKey["sha"]) => {
      const { key } = older;
      return (await findStanding(database, { key, sha, headKey: key })).ended.map(({ id }) => id);
    };
    expect(await ids("a".repeat(40))).toEqual([newer.id, older.id]);
    expect(await ids(null)).toEqual([other.id]);
    expect(await ids(anyCommit)).toEqual([other.id, newer.id, older.id]);
  });

  test("what a request meets is found at once: the open jobs of any commit, however many ended since, and the head", async () => {
    const { database } = opened();
    const queued = await storeJob(database, { sha: "b".repeat(40), createdAt: new Date("2026-01-01") });
    const { key, repositoryId } = queued;
    const active = await storeJob(database, { repositoryId, state: "active", createdAt: new Date("2026-01-01") });
    for (let day = 1; day <= 25; day += 1) {
      await storeJob(database, { repositoryId, state: "ended", createdAt: new Date(`2026-02-${day + 1}`) });
    }
    const head = {
      installationId: 1,
      repositoryId,
      key: "its head",
      sha: "c".repeat(40),
      pushedAt: new Date(),
      draft: true,
    };
    await recordPush(database, head);
    const standing = await findStanding(database, { key, sha: "a".repeat(40), headKey: "its head" });
    expect(standing).toMatchObject({ queued, active, head });
    expect(standing.ended).toHaveLength(20);
    const elsewhere = await findStanding(database, { key: "elsewhere", sha: null, headKey: "its head" });
    expect(elsewhere).toEqual({ queued: null, active: null, ended: [], head });
  });
});
