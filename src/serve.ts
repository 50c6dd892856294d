import { once } from "node:events";
import type { Logger } from "pino";
import { createNodeMiddleware, Probot, type ProbotOctokit } from "probot";
import autolith from "./app.ts";
import type { ServerSettings } from "./config/server-config.ts";
import { AutolithError } from "./errors.ts";
import { openQueue, type Queue } from "./job/queue.ts";
import { type Handlers, startWorker } from "./job/worker.ts";
import { withoutBodies } from "./log/open-log.ts";
import { logSparingly } from "./log/sparing.ts";
import { startServer, webhookPath } from "./server.ts";
import { checkDatabase, type Store } from "./store/database.ts";
import { forgetDeliveries } from "./store/deliveries.ts";
import { openStore } from "./store/open-store.ts";

export interface ServeOptions {
  readonly settings: ServerSettings;
  /** Where the embedded database lies. */
  readonly dataDirectory: string;
  /** `web` takes deliveries, `worker` does jobs, `all` does both in one process. */
  readonly role: "web" | "worker" | "all";
  /** The client of GitHub's API, with its rate limits set. */
  readonly Octokit: typeof ProbotOctokit;
  /** What is done with jobs. */
  readonly handlers: (parts: { probot: Probot; store: Store; queue: Queue }) => Handlers;
  /** The longest that a job may take, everything included. Unit: milliseconds. */
  readonly jobLimitMs: number;
  /** Removes what jobs left behind, now and then; for roles that do jobs. */
  readonly sweep?: (store: Store, signal: AbortSignal) => Promise<void>;
  /** Sees to deliveries that were missed while nothing listened; for roles that take them. Gives how many come again. */
  readonly catchUp?: (signal: AbortSignal) => Promise<number>;
  readonly log: Logger;
  readonly onReady?: (server: { readonly port: number }) => void;
}

/** For deliveries under way, and for jobs to be given up and handed back; together less than the 30 s that orchestrators wait. */
const requestGraceMs = 5_000;
const jobGraceMs = 20_000;
const housekeepingMs = 6 * 3_600_000;
const deliveriesKeptMs = 7 * 86_400_000;
const sweepMs = 60_000;

/**
 * Serves until the signal aborts, then drains: no more requests, jobs handed back, everything closed.
 * Throws `AutolithError` when something that it needs cannot be had.
 */
export async function serve(options: ServeOptions, signal: AbortSignal): Promise<void> {
  const { settings, dataDirectory, role, log } = options;
  if (role !== "all" && settings.databaseUrl === undefined) {
    throw new AutolithError("config", `the role ${role} needs DATABASE_URL: the embedded database is for one process`);
  }
  const onError = logSparingly(log, "background work failed");
  await using store = await openStore({ databaseUrl: settings.databaseUrl, dataDirectory }, onError);
  const { debounceMs } = settings;
  await using queue = await openQueue(store, { debounceMs, jobLimitMs: options.jobLimitMs, onError });
  await using stopping = new AsyncDisposableStack();
  const probot = probotOf(options);
  if (role !== "web") {
    const { concurrency } = settings;
    const worker = await startWorker({ queue, handlers: options.handlers({ probot, store, queue }), log, concurrency });
    stopping.defer(() => worker.stop(jobGraceMs));
    stopping.use(sweeping(options, store, onError));
  }
  const server = await startServer({
    listen: settings.listen,
    webhook: role === "worker" ? null : await webhookOf(options, probot, queue),
    checkHealth: () => checkDatabase(store),
    log,
  });
  if (role !== "worker") stopping.use(catchingUp(options));
  stopping.use(housekeeping(store, onError));
  // Last, so that it comes first at the end: what is sent from then on is refused, and asked for again at the next start.
  stopping.defer(() => server.close(requestGraceMs));
  log.info({ role, host: settings.listen.host, port: server.port, database: store.dialect }, "serving");
  options.onReady?.(server);
  if (!signal.aborted) await once(signal, "abort");
  log.info("draining");
}

function probotOf({ settings, Octokit, log }: ServeOptions): Probot {
  const { appId, privateKey, webhookSecret: secret, github } = settings;
  return new Probot({ appId, privateKey, secret, baseUrl: github.apiUrl, Octokit, log: withoutBodies(log) });
}

async function webhookOf({ settings, log }: ServeOptions, probot: Probot, queue: Queue) {
  const app = autolith({ ownAppId: settings.appId, accept: queue.accept, log });
  return {
    secret: settings.webhookSecret,
    receive: await createNodeMiddleware(app, { probot, webhooksPath: webhookPath }),
  };
}

/** In the background: GitHub may be slow, or away, and nothing else waits for it. */
function catchingUp({ catchUp, log }: ServeOptions): AsyncDisposable {
  const ending = new AbortController();
  const done = catchUp?.(ending.signal).then(
    (deliveries) => deliveries > 0 && log.info({ deliveries }, "asked for deliveries that were missed"),
    (error: Error) => ending.signal.aborted || log.warn({ err: error }, "cannot ask for missed deliveries"),
  );
  return {
    [Symbol.asyncDispose]: async () => {
      ending.abort();
      await done;
    },
  };
}

/** One sweep at a time; one under way is given up at the end, and waited for. */
function sweeping({ sweep }: ServeOptions, store: Store, onError: (error: Error) => void): AsyncDisposable {
  const ending = new AbortController();
  let running: Promise<void> | null = null;
  const timer = setInterval(() => {
    running ??=
      sweep?.(store, ending.signal).then(
        () => {
          running = null;
        },
        (error: Error) => {
          running = null;
          if (!ending.signal.aborted) onError(error);
        },
      ) ?? null;
  }, sweepMs);
  return {
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      ending.abort();
      await running;
    },
  };
}

function housekeeping(store: Store, onError: (error: Error) => void): Disposable {
  const forget = () => {
    forgetDeliveries(store.database, new Date(Date.now() - deliveriesKeptMs)).catch(onError);
  };
  forget();
  const timer = setInterval(forget, housekeepingMs);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
