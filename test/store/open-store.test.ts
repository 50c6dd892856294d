import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { lockDataDirectory } from "../../src/store/data-directory-lock.ts";
import { openStore } from "../../src/store/open-store.ts";
import { startPostgresql } from "./postgresql-server.ts";

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "autolith-data-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test("a data directory is made and held, and can be had again after it was given up", () => {
  const folder = join(temporaryFolder(), "not", "there", "yet");
  const lock = lockDataDirectory(folder);
  expect(() => lockDataDirectory(folder)).toThrow(`another process uses the data directory ${folder}`);
  lock[Symbol.dispose]();
  lock[Symbol.dispose]();
  lockDataDirectory(folder)[Symbol.dispose]();
});

test("a process that was killed gives up its data directory, one that lives does not", async () => {
  const folder = temporaryFolder();
  const module = new URL("../../src/store/data-directory-lock.ts", import.meta.url);
  const program = `const { lockDataDirectory } = await import(${JSON.stringify(module)});
    const lock = lockDataDirectory(${JSON.stringify(folder)}); console.log("held"); setInterval(() => lock, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  expect(() => lockDataDirectory(folder)).toThrow(/another process/);
  child.kill("SIGKILL");
  await once(child, "exit");
  lockDataDirectory(folder)[Symbol.dispose]();
});

test("a data directory that cannot be made is an error of the configuration", () => {
  const file = join(temporaryFolder(), "file");
  writeFileSync(file, "");
  expect(() => lockDataDirectory(file)).toThrow(/the data directory .* cannot be used/);
});

test("a PostgreSQL that does not answer is an error that does not show the password", async () => {
  const place = { databaseUrl: "postgres://autolith:s3cr3t-word@127.0.0.1:1/none", dataDirectory: "/nonexistent" };
  const error = await openStore(place, () => {}).catch((thrown) => thrown);
  expect(error).toMatchObject({ name: "AutolithError", code: "infrastructure" });
  expect(error.message).toMatch(/^the PostgreSQL of DATABASE_URL cannot be used: .+/);
  expect(error.message).not.toContain("s3cr3t-word");
});

test("a PostgreSQL is opened with connections that wait for the first deliveries", async () => {
  await using server = await startPostgresql();
  const place = { databaseUrl: await server.createDatabase(), dataDirectory: "/nonexistent" };
  await using store = await openStore(place, () => {});
  const waiting = sql`select count(*)::int as count from pg_stat_activity where application_name = 'autolith'`;
  expect((await store.database.execute(waiting)).rows).toEqual([{ count: 4 }]);
});
