import { loadavg } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { startPostgresql } from "../test/store/postgresql-server.ts";
import { dialects } from "../test/store/use-store.ts";
import type { Benchmark } from "./benchmark.ts";
import { busyWork, type ServiceScene, serviceScene } from "./service-scene.ts";
import { type Timing, timing } from "./statistics.ts";
import { table } from "./table.ts";

type Dialect = (typeof dialects)[number];

/** Bursts of 200 deliveries in each state; one alone has two samples above its 99th percentile. */
const bursts = 3;
/** How long a service is left alone before its memory is read. Unit: milliseconds. */
const restMs = 20_000;
/** V8's own choice of a young generation, which is what the launcher would leave without its flag. */
const plainHeap = { NODE_OPTIONS: "--max-semi-space-size=0" };

const goals = { p99Ms: 50, idleMb: 180 };

interface Measured {
  /** The same bursts at a process that does nothing but check signatures. */
  readonly bare: Timing;
  /** The first burst after the start, when nothing is compiled yet and no connection open; the others are measured after it. */
  readonly first: Timing;
  readonly idle: Timing;
  readonly busy: Timing;
  /** Resident memory in megabytes: at rest after the start, the same without the launcher's flag, with the jobs, and at rest after them. */
  readonly idleMb: number;
  readonly plainIdleMb: number;
  readonly busyMb: number;
  readonly afterMb: number;
}

/** How soon deliveries are acknowledged, at rest and with eight jobs running, and how much memory an idle service takes. */
export async function benchService(signal: AbortSignal): Promise<Benchmark> {
  const measured: Partial<Record<Dialect, Measured>> = {};
  for (const dialect of dialects) measured[dialect] = await measureDialect(dialect, signal);
  const { pglite, postgresql } = measured;
  if (pglite === undefined || postgresql === undefined) throw new Error("a dialect was not measured");
  return {
    text: report({ pglite, postgresql }),
    figures: { benchmark: "service", pglite, postgresql, goals, load: load() },
  };
}

async function measureDialect(dialect: Dialect, signal: AbortSignal): Promise<Measured> {
  await using stack = new AsyncDisposableStack();
  const server = dialect === "pglite" ? null : stack.use(await startPostgresql());
  const start = async (more: Readonly<Record<string, string>>): Promise<ServiceScene> => {
    const databaseUrl = await server?.createDatabase();
    return serviceScene({ ...more, ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }) });
  };
  const scene = stack.use(await start({}));
  const plainIdleMb = await idleMemory(() => start(plainHeap), signal);
  const idleMb = scene.residentMb();
  const bare = await measureBursts(scene.bareBurst, signal);
  const first = timing(await scene.burst(0));
  const idle = await measureBursts(scene.burst, signal);
  await scene.beginJobs();
  const busy = await measureBursts(scene.burst, signal);
  const busyMb = scene.residentMb();
  await scene.endJobs();
  await delay(restMs, undefined, { signal });
  return { bare, first, idle, busy, idleMb, plainIdleMb, busyMb, afterMb: scene.residentMb() };
}

/** Also the rest of the service that is measured next: both are idle for the same time. */
async function idleMemory(start: () => Promise<ServiceScene>, signal: AbortSignal): Promise<number> {
  await using scene = await start();
  await delay(restMs, undefined, { signal });
  return scene.residentMb();
}

async function measureBursts(send: ServiceScene["burst"], signal: AbortSignal): Promise<Timing> {
  const samples: number[] = [];
  for (let burst = 1; burst <= bursts; burst += 1) {
    signal.throwIfAborted();
    samples.push(...(await send(burst)));
    await delay(1_000, undefined, { signal });
  }
  return timing(samples);
}

function report({ pglite, postgresql }: Readonly<Record<Dialect, Measured>>): string {
  const times = (name: string, { p50, p99, samples }: Timing, goal: string) => [
    name,
    p50.toFixed(1),
    p99.toFixed(1),
    String(samples),
    goal,
  ];
  const p99Goal = `p99 goal ${goals.p99Ms}`;
  const acknowledged = table([
    ["acknowledged after, milliseconds", "p50", "p99", "samples", ""],
    times("nothing but a signature checked", postgresql.bare, ""),
    times("PostgreSQL, just started", postgresql.first, ""),
    times("PostgreSQL, idle", postgresql.idle, ""),
    times("PostgreSQL, eight jobs running", postgresql.busy, p99Goal),
    times("PGlite, just started", pglite.first, ""),
    times("PGlite, idle", pglite.idle, ""),
    times("PGlite, eight jobs running", pglite.busy, p99Goal),
  ]);
  const megabytes = (name: string, { idleMb, plainIdleMb, busyMb, afterMb }: Measured, goal: string) => [
    name,
    ...[idleMb, plainIdleMb, busyMb, afterMb].map(String),
    goal,
  ];
  const resident = table([
    ["resident, megabytes", "idle", "idle, heap as V8 has it", "eight jobs running", "after the jobs", ""],
    megabytes("PostgreSQL", postgresql, `idle goal ${goals.idleMb}`),
    megabytes("PGlite", pglite, ""),
  ]);
  return `${acknowledged}\n${resident}\n${busyWork}\nLoad of the machine in the last minute: ${load()}.\n`;
}

function load(): number {
  return Math.round((loadavg()[0] ?? 0) * 10) / 10;
}
