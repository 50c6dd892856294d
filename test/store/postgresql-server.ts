import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chown, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { findPostgresql } from "../../sandbox/setup/postgresql.ts";

/** A PostgreSQL server of the tests' own; disposing it stops it and removes its files. */
export interface PostgresqlServer extends AsyncDisposable {
  /** Makes an empty database and gives its address. */
  createDatabase(): Promise<string>;
  /** Stops the server for a while; its files and port are kept. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

const run = promisify(execFile);

/** Starts a server in a temporary folder on a free port, as an unprivileged user, since PostgreSQL refuses to run as root. */
export async function startPostgresql(): Promise<PostgresqlServer> {
  const programs = await findPostgresql();
  if (programs === undefined) throw new Error("no PostgreSQL server on this host; npm run setup installs one");
  const user = await unprivilegedUser();
  const folder = await mkdtemp(join(tmpdir(), "autolith-postgresql-"));
  if (user !== undefined) await chown(folder, user.uid, user.gid);
  const data = join(folder, "data");
  await run(
    join(programs, "initdb"),
    ["-D", data, "-U", "autolith", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"],
    { ...user, cwd: folder },
  );
  const port = await freePort();
  const settings = {
    listen_addresses: "127.0.0.1",
    port,
    unix_socket_directories: "",
    fsync: "off",
    max_connections: 60,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  let server: ChildProcess | undefined;
  const start = async () => {
    server = spawn(join(programs, "postgres"), ["-D", data, ...flags], { ...user, cwd: folder, stdio: "ignore" });
    await untilItAnswers(port);
  };
  const stop = async () => {
    if (server === undefined || server.exitCode !== null) return;
    const exited = once(server, "exit");
    // SIGINT is PostgreSQL's fast shutdown: clients are disconnected.
    server.kill("SIGINT");
    await exited;
  };
  await start();
  let made = 0;
  return {
    start,
    stop,
    createDatabase: async () => {
      made += 1;
      const name = `store_${made}`;
      await query(port, `create database ${name}`);
      return `postgres://autolith@127.0.0.1:${port}/${name}`;
    },
    [Symbol.asyncDispose]: async () => {
      if (server !== undefined && server.exitCode === null) await untilUnused(port);
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function unprivilegedUser(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const [uid, gid] = await Promise.all(["-u", "-g"].map(async (flag) => (await run("id", [flag, "nobody"])).stdout));
  return { uid: Number(uid), gid: Number(gid) };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no port was given");
  return address.port;
}

async function untilItAnswers(port: number): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      await query(port, "select 1");
      return;
    } catch (error) {
      if (attempt >= 100) throw error;
      await delay(100);
    }
  }
}

/**
 * Waits for clients that are still saying goodbye: a pool has closed before the last of its connections has, and one that the server
 * cuts off then has nobody left to tell.
 */
async function untilUnused(port: number): Promise<void> {
  const others = "select count(*)::int as count from pg_stat_activity where datname like 'store_%'";
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const [row] = await query<{ count: number }>(port, others);
    if (row?.count === 0) return;
    await delay(50);
  }
}

async function query<Row extends object>(port: number, text: string): Promise<Row[]> {
  const client = new pg.Client({ host: "127.0.0.1", port, user: "autolith", database: "postgres" });
  client.on("error", () => {});
  try {
    await client.connect();
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}
