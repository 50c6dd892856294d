import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pino } from "pino";
import { expect, onTestFinished, test, vi } from "vitest";
import { openQueue } from "../../src/job/queue.ts";
import { startWorker } from "../../src/job/worker.ts";
import { findJob } from "../../src/store/jobs.ts";
import { openStore } from "../../src/store/open-store.ts";
import { fixJob } from "./fix-job.ts";
import { opens, ScriptedHandlers } from "./scripted-handlers.ts";

test("a job survives kill -9 with what it made and spent, and goes on at the next start at once", async () => {
  await using cleanups = new AsyncDisposableStack();
  const dataDirectory = await mkdtemp(join(tmpdir(), "autolith-data-"));
  cleanups.defer(() => rm(dataDirectory, { recursive: true, force: true }));
  const id = await beginAndKill(dataDirectory);

  const store = cleanups.use(await openStore({ databaseUrl: undefined, dataDirectory }, () => {}));
  const queue = cleanups.use(await openQueue(store, { debounceMs: 0, jobLimitMs: 3_600_000, onError: () => {} }));
  expect(await queue.accept({ guid: "crash", event: "check_run" }, { kind: "fix", job: fixJob() })).toEqual({
    kind: "ignored",
    reason: "known",
  });
  const handlers = new ScriptedHandlers([opens]);
  const worker = await startWorker({ queue, handlers, log: pino({ level: "silent" }), concurrency: 1 });
  cleanups.defer(() => worker.stop(5_000));
  const start = performance.now();
  const ended = {
    state: "ended",
    outcome: "opened",
    attempts: 2,
    failures: 1,
    checkRunId: 11,
    spend: { costUsd: 0.5 },
  };
  await vi.waitFor(async () => expect(await findJob(store.database, id)).toMatchObject(ended), 20_000);
  expect(performance.now() - start).toBeLessThan(15_000);
  expect(handlers.calls).toEqual(["run 2"]);
}, 120_000);

/** Gives the id of a job that was running when its process was killed. */
async function beginAndKill(dataDirectory: string): Promise<string> {
  const program = fileURLToPath(new URL("crashing-process.ts", import.meta.url));
  const child = spawn(process.execPath, [program, dataDirectory], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  child.kill("SIGKILL");
  await once(child, "exit");
  return line.toString("utf8").trim();
}
