import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, readFile, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test, vi } from "vitest";
import { isHeldBy, startDockerd } from "../../sandbox/setup/dockerd.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** Treats its pid file and its socket as dockerd does. Arguments: its folder, then a way to misbehave. */
const STAND_IN = `#!${process.execPath}
const fs = require("node:fs");
const [folder, fault] = process.argv.slice(2);
process.title = "dockerd";
const held = () => fs.existsSync("/proc/" + fs.readFileSync(folder + "/pid", "utf8"));
if (fs.existsSync(folder + "/pid") && held()) {
  console.error("pid file found, ensure docker is not running");
  process.exit(1);
}
if (fault === "broken") {
  console.error("no kernel support");
  process.exit(7);
}
fs.writeFileSync(folder + "/pid", String(process.pid));
fs.rmSync(folder + "/socket", { force: true });
const answer = JSON.stringify({ pid: process.pid, env: process.env });
const server = require("node:http").createServer((_, response) => response.end(answer));
setTimeout(() => server.listen(folder + "/socket"), 300);
setTimeout(() => process.exit(), 60_000);
`;

async function standIn(...faults: string[]) {
  const folder = await temporaryFolder();
  const program = join(folder, "dockerd");
  await writeFile(program, STAND_IN);
  await chmod(program, 0o755);
  const files = {
    pidFile: join(folder, "pid"),
    containerdPidFile: join(folder, "containerd.pid"),
    log: join(folder, "log"),
  };
  const connect = () => ask(join(folder, "socket"));
  return { files, start: () => startDockerd(program, [folder, ...faults], files, connect) };
}

/** The daemon's own statement; the process that it names ends with the test. */
async function ask(socketPath: string): Promise<{ pid: number; env: Record<string, string> }> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  request({ socketPath, agent: false }, (response) => resolve(text(response)))
    .on("error", reject)
    .end();
  const daemon = JSON.parse(await promise);
  onTestFinished(() => {
    try {
      process.kill(daemon.pid, "SIGKILL");
    } catch {
      // A test asked twice, and the daemon is gone already.
    }
  });
  return daemon;
}

test("starts a daemon and waits until it answers, without handing it our secrets", async () => {
  vi.stubEnv("OPENAI_API_KEY", "secret");
  vi.stubEnv("HTTPS_PROXY", "http://127.0.0.1:1");
  onTestFinished(() => void vi.unstubAllEnvs());
  const { files, start } = await standIn();
  const { pid, env } = await start();
  expect(await isHeldBy(files.pidFile, "dockerd")).toBe(true);
  expect(await readFile(files.pidFile, "utf8")).toBe(String(pid));
  expect(env).toMatchObject({ PATH: process.env["PATH"], HTTPS_PROXY: "http://127.0.0.1:1" });
  expect(env).not.toHaveProperty("OPENAI_API_KEY");
});

test("is not held up by pid files whose numbers now belong to other programs", async () => {
  const { files, start } = await standIn();
  await writeFile(files.pidFile, String(process.pid));
  await writeFile(files.containerdPidFile, String(process.pid));
  const { pid } = await start();
  expect(pid).not.toBe(process.pid);
  await expect(readFile(files.containerdPidFile)).rejects.toThrow("ENOENT");
});

test("waits for a daemon that somebody else is starting", async () => {
  const { files, start } = await standIn();
  const first = start();
  await vi.waitUntil(() => isHeldBy(files.pidFile, "dockerd"), { timeout: 10_000 });
  expect((await start()).pid).toBe((await first).pid);
});

test("says why a daemon did not start, in its own words", async () => {
  const { start } = await standIn("broken");
  await expect(start()).rejects.toThrow(/ended with status 7\n.*no kernel support/);
});

test("takes no text, no number, a dead process and another program for a pid file that nobody holds", async () => {
  const pidFile = join(await temporaryFolder(), "pid");
  expect(await isHeldBy(pidFile, "dockerd")).toBe(false);
  for (const content of ["", "dockerd", "-1", "0", "999999999", String(process.pid)]) {
    await writeFile(pidFile, content);
    expect(await isHeldBy(pidFile, "dockerd")).toBe(false);
  }
});

test("takes a process that has ended for dead, even while nobody has collected its exit status", async () => {
  const parent = spawn("sh", ["-c", "sleep 0.1 & echo $!; exec sleep 30"], { stdio: ["ignore", "pipe", "ignore"] });
  onTestFinished(() => void parent.kill());
  const [pid] = await once(parent.stdout, "data");
  const pidFile = join(await temporaryFolder(), "pid");
  await writeFile(pidFile, pid);
  await vi.waitUntil(async () => (await readFile(`/proc/${Number(pid)}/status`, "utf8")).includes("State:\tZ"));
  expect(await isHeldBy(pidFile, "sleep")).toBe(false);
});
