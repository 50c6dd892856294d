// Begins a job in the data directory that is its argument, says so, and then waits to be killed.
import { pino } from "pino";
import { openQueue } from "../../src/job/queue.ts";
import { startWorker } from "../../src/job/worker.ts";
import { openStore } from "../../src/store/open-store.ts";
import { fixJob } from "./fix-job.ts";

const dataDirectory = process.argv[2] ?? "";
const store = await openStore({ databaseUrl: undefined, dataDirectory }, () => {});
const queue = await openQueue(store, { debounceMs: 0, jobLimitMs: 3_600_000, onError: () => {} });
const unexpected = () => Promise.reject(new Error("not expected"));
await startWorker({
  queue,
  log: pino({ level: "silent" }),
  concurrency: 1,
  handlers: {
    close: unexpected,
    intake: unexpected,
    run: async (job) => {
      await job.record({ checkRunId: 11, spend: { costUsd: 0.5 } });
      process.stdout.write(`${job.id}\n`);
      return new Promise(() => {});
    },
  },
});
await queue.accept({ guid: "crash", event: "check_run" }, { kind: "fix", job: fixJob() });
