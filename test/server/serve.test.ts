import { generateKeyPairSync, randomUUID } from "node:crypto";
import { ProbotOctokit } from "probot";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { readServerSettings } from "../../src/config/server-config.ts";
import { type ServeOptions, serve } from "../../src/serve.ts";
import { hangs, opens, ScriptedHandlers } from "../job/scripted-handlers.ts";
import { type PostgresqlServer, startPostgresql } from "../store/postgresql-server.ts";
import { checkRun, checkSuite, issueComment, ownAppId, pullRequest } from "../webhook/event-payloads.ts";
import { capturedLog } from "./captured-log.ts";
import { addressOf, deliver, secret } from "./deliver.ts";

vi.setConfig({ testTimeout: 30_000 });

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();

let postgresql: PostgresqlServer;
beforeAll(async () => {
  postgresql = await startPostgresql();
}, 60_000);
afterAll(() => postgresql[Symbol.asyncDispose]());

interface Parts {
  readonly databaseUrl: string;
  readonly handlers?: ScriptedHandlers;
  readonly role?: ServeOptions["role"];
  readonly debounceSeconds?: number;
}

/** Serves as the command line would, on a port that the system chooses. */
async function start({ databaseUrl, handlers = new ScriptedHandlers([]), role = "all", debounceSeconds = 0 }: Parts) {
  const settings = readServerSettings({
    APP_ID: String(ownAppId),
    PRIVATE_KEY: pem,
    WEBHOOK_SECRET: secret,
    PORT: "0",
    DATABASE_URL: databaseUrl,
    AUTOLITH_DEBOUNCE_SECONDS: String(debounceSeconds),
  });
  const captured = capturedLog(settings.secrets);
  const stop = new AbortController();
  const ready = Promise.withResolvers<{ port: number }>();
  const served = serve(
    {
      settings,
      role,
      Octokit: ProbotOctokit,
      dataDirectory: "/nonexistent",
      jobLimitMs: 3_600_000,
      handlers: () => handlers,
      log: captured.log,
      onReady: ready.resolve,
    },
    stop.signal,
  );
  served.catch(ready.reject);
  onTestFinished(async () => {
    stop.abort();
    await served.catch(() => {});
  });
  const { port } = await ready.promise;
  const drain = async () => {
    stop.abort();
    await served;
  };
  return { ...captured, port, drain };
}

test("a failed check is acknowledged at once and becomes a job that runs", async () => {
  const handlers = new ScriptedHandlers([opens]);
  const { port } = await start({ databaseUrl: await postgresql.createDatabase(), handlers });
  const begin = performance.now();
  expect((await deliver(port, { event: "check_run", payload: checkRun() })).status).toBe(200);
  expect(performance.now() - begin).toBeLessThan(1_000);
  await handlers.called(1);
  expect(handlers.calls).toEqual(["run 1"]);
  expect((await fetch(addressOf(port, "/healthz"))).status).toBe(200);
});

test("an acknowledgement does not wait for a job that runs", async () => {
  const handlers = new ScriptedHandlers([hangs]);
  const { port } = await start({ databaseUrl: await postgresql.createDatabase(), handlers });
  await deliver(port, { event: "check_run", payload: checkRun() });
  await handlers.called(1);
  const begin = performance.now();
  expect((await deliver(port, { event: "check_run", payload: checkRun({ name: "lint", id: 901 }) })).status).toBe(200);
  expect(performance.now() - begin).toBeLessThan(1_000);
});

test("one GUID that reaches two replicas at the same time makes one job, and both acknowledge it", async () => {
  const databaseUrl = await postgresql.createDatabase();
  const replicas = await Promise.all([start({ databaseUrl, role: "web" }), start({ databaseUrl, role: "web" })]);
  const guid = randomUUID();
  const payload = checkRun();
  const answers = await Promise.all(replicas.map(({ port }) => deliver(port, { event: "check_run", guid, payload })));
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  const effects = replicas.flatMap(({ lines }) => lines("delivery accepted").map(({ effect }) => effect));
  expect(effects).toContainEqual({ kind: "ignored", reason: "known" });
  expect(effects).toContainEqual({ kind: "queued", jobId: expect.any(String) });
});

test("thirty failing checks, their suite and a command about one commit make one run", async () => {
  const seen = Promise.withResolvers<unknown[]>();
  const handlers = new ScriptedHandlers([
    async (job, signal) => {
      seen.resolve(job.job.causes);
      return opens(job, signal);
    },
  ]);
  const { port, lines } = await start({
    databaseUrl: await postgresql.createDatabase(),
    handlers,
    debounceSeconds: 90,
  });
  const cells = Array.from({ length: 30 }, (_, cell) => checkRun({ name: `test (${cell})`, id: 1_000 + cell }));
  const answers = await Promise.all(cells.map((payload) => deliver(port, { event: "check_run", payload })));
  expect(answers.every(({ ok }) => ok)).toBe(true);
  expect(handlers.calls).toEqual([]);
  await deliver(port, { event: "check_suite", payload: checkSuite() });
  expect(await seen.promise).toHaveLength(30);
  const ids = lines("delivery accepted").map(({ effect }) => (effect as { jobId: string }).jobId);
  expect(new Set(ids).size).toBe(1);
  expect(handlers.calls).toEqual(["run 1"]);
});

test("a command goes through intake, and closing its pull request ends what follows", async () => {
  const handlers = new ScriptedHandlers([]).onIntake(async () => {});
  const { port } = await start({ databaseUrl: await postgresql.createDatabase(), handlers });
  await deliver(port, { event: "issue_comment", payload: issueComment("/autolith fix") });
  await handlers.called(1);
  expect(handlers.intakes).toMatchObject([{ kind: "command", comment: { user: { id: 77 } } }]);
  expect((await deliver(port, { event: "pull_request", payload: pullRequest("closed") })).status).toBe(200);
});

test("draining hands jobs back, and the next process goes on with them", async () => {
  const databaseUrl = await postgresql.createDatabase();
  const first = new ScriptedHandlers([hangs]);
  const before = await start({ databaseUrl, handlers: first });
  await deliver(before.port, { event: "check_run", payload: checkRun() });
  await first.called(1);
  await before.drain();
  await expect(fetch(addressOf(before.port, "/healthz"))).rejects.toThrow();
  const second = new ScriptedHandlers([opens]);
  await start({ databaseUrl, handlers: second });
  await second.called(1);
  expect([first.calls, second.calls]).toEqual([["run 1"], ["run 2"]]);
});

test("without its database a server refuses deliveries quickly, and takes them again when it is back", async () => {
  await using own = await startPostgresql();
  const databaseUrl = await own.createDatabase();
  const { port, lines, text } = await start({ databaseUrl, role: "web" });
  const delivery = { event: "check_run", guid: randomUUID(), payload: checkRun() };
  await own.stop();
  const begin = performance.now();
  expect((await deliver(port, delivery)).status).toBe(500);
  expect((await fetch(addressOf(port, "/healthz"))).status).toBe(503);
  expect(performance.now() - begin).toBeLessThan(9_000);
  expect(lines("delivery could not be stored")).toHaveLength(1);
  expect(text()).not.toContain("pull_requests");
  await own.start();
  expect((await deliver(port, delivery)).status).toBe(200);
  expect((await fetch(addressOf(port, "/healthz"))).status).toBe(200);
});

test("the embedded database is not for one of several processes", async () => {
  await expect(start({ databaseUrl: "", role: "web" })).rejects.toThrow("the role web needs DATABASE_URL");
});
