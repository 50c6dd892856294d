import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { keyOf } from "../../src/job/job.ts";
import { nothingSpent } from "../../src/job/spent-before.ts";
import { openStore } from "../../src/store/open-store.ts";
import { calls, says } from "../model-server/answer.ts";
import { storeJob } from "../store/job-row.ts";
import { type PostgresqlServer, startPostgresql } from "../store/postgresql-server.ts";
import type { CheckRun } from "../twin/world/check.ts";
import { nobody, proposals } from "./expectations.ts";
import { quickRepository, turnRedQuickly } from "./quick-repository.ts";
import { concluded, eventually, ownChecks, type RedRepository } from "./red-repository.ts";
import { type Service, startService } from "./run-serve.ts";

let postgresql: PostgresqlServer;
let databaseUrl: string;
let service: Service;

beforeAll(async () => {
  postgresql = await startPostgresql();
  databaseUrl = await postgresql.createDatabase();
  // A model whose price is known wherever it runs, and high: $150 for a million tokens in, $600 out.
  service = await startService({ environment: { DATABASE_URL: databaseUrl, AUTOLITH_MODEL: "openai/o1-pro" } });
});

afterAll(async () => {
  expect(await service.stop()).toBe(0);
  await service[Symbol.asyncDispose]();
  await postgresql[Symbol.asyncDispose]();
});

/** The limit is named in one line and said once, by the check run and the one comment; nothing is proposed. */
function expectLimit({ twin }: Service, red: RedRepository, check: CheckRun, line: RegExp): void {
  expect(check).toMatchObject({ conclusion: "neutral", output: { title: "Limit reached" } });
  expect(check.output.summary?.split("\n")[0]).toMatch(line);
  expect(ownChecks(twin, red.repository, check.suite.headSha)).toEqual([check]);
  expect(red.pull.comments.map(({ body }) => body)).toEqual([expect.stringContaining("Limit reached")]);
  expect(proposals(twin, red.repository)).toEqual([]);
}

/** One answer that costs so many thousands of tokens in. */
const dear = (thousands: number) => {
  const usage = { inputTokens: thousands * 1_000, cachedTokens: 0, outputTokens: 0 };
  return { ...calls("read_file", { path: "words/count.py" }), usage };
};

test("a run ends at its own limit of dollars, and the repository's next one at the day's, without a model call", async () => {
  let asked = 0;
  service.think(() => {
    asked += 1;
    return dear(140);
  });
  const red = await quickRepository(service.twin);
  await turnRedQuickly(service.twin, red);
  const first = await concluded(service.twin, red);
  expectLimit(service, red, first, /^Cost: \$21\.00 of \$3\.00 spent, the next call needs about /);
  expect(first.output.summary).toContain("Spent: 140000 tokens in, 0 out, $21.0000.");
  expect(asked).toBe(1);

  service.think(nobody);
  const files = { "notes.txt": "more\n" };
  const sha = await service.twin.repositories.commit(red.repository, { branch: "topic", files, author: red.ada });
  const next = { ...red, sha };
  await turnRedQuickly(service.twin, next);
  const line = /^Cost: the repository has spent its \$20\.00 of 24 hours\.$/;
  const second = await concluded(service.twin, next);
  await eventually("the comment about it", () => red.pull.comments.find(({ body }) => body.includes("24 hours")));
  expectLimit(service, next, second, line);
  expect(service.model.problems).toEqual([]);
});

test("a repository that had its runs of the day gets no other one, and no model call", async () => {
  service.think(nobody);
  const red = await quickRepository(service.twin);
  const { repository } = red;
  await using store = await openStore({ databaseUrl, dataDirectory: "/nonexistent" }, () => {});
  for (let run = 0; run < 20; run += 1) {
    const branch = `run-${run}`;
    const key = keyOf(repository.id, { kind: "branch", branch, pullRequest: null });
    const ran = { state: "ended", startedAt: new Date(), spend: nothingSpent } as const;
    await storeJob(store.database, { id: randomUUID(), repositoryId: repository.id, key, ...ran });
  }
  await turnRedQuickly(service.twin, red);
  const line = /^Runs: the repository has used up its 20 runs of 24 hours\.$/;
  expectLimit(service, red, await concluded(service.twin, red), line);
  expect(service.model.problems).toEqual([]);
});

test("what was spent is shown while a run goes on", async () => {
  let asked = 0;
  service.think(() => {
    asked += 1;
    return asked === 1 ? dear(2) : { kind: "silence", when: "at-once" };
  });
  const red = await quickRepository(service.twin);
  await turnRedQuickly(service.twin, red);
  const spent = "Spent: 2000 tokens in, 0 out, $0.3000.";
  await eventually("the spend in the check run", () =>
    ownChecks(service.twin, red.repository, red.sha).find(
      ({ status, output }) => status === "in_progress" && output.summary?.includes(spent),
    ),
  );
  await eventually("the spend in the comment", () => red.pull.comments.find(({ body }) => body.includes(spent)));
  service.twin.clock.advance(2_000);
  service.twin.issues.comment(red.pull, red.ada, "/autolith stop");
  expect((await concluded(service.twin, red)).conclusion).toBe("cancelled");
});

test("without a price the token limit holds, also where the endpoint tells no usage", async () => {
  await using untold = await startService({ usage: "never" });
  let asked = 0;
  untold.think(() => {
    asked += 1;
    return says("word ".repeat(100_000));
  });
  const red = await quickRepository(untold.twin);
  await turnRedQuickly(untold.twin, red);
  const check = await concluded(untold.twin, red);
  expectLimit(untold, red, check, /^Tokens: \d+ of 400000 tokens used, the next call needs about \d+ more\.$/);
  expect(check.output.summary).toMatch(/Spent: \d{6} tokens in, \d{6} out, price unknown\./);
  expect(untold.traces()).toContain('"usageEstimated":true');
  expect(asked).toBe(2);
});
