import { spawn } from "node:child_process";
import { open, readFile, rm } from "node:fs/promises";
import { basename } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { messageOf, SandboxError } from "../../src/errors.ts";
import { lastLines } from "./program.ts";
import { say } from "./say.ts";

/** Files of a Docker daemon. */
export interface DaemonFiles {
  readonly pidFile: string;
  /** Of the containerd that dockerd starts for itself. */
  readonly containerdPidFile: string;
  readonly log: string;
}

/** Where dockerd keeps them unless it is told otherwise; the log is ours. */
export const DAEMON_FILES: DaemonFiles = {
  pidFile: "/var/run/docker.pid",
  containerdPidFile: "/var/run/docker/containerd/containerd.pid",
  log: "/var/log/autolith-dockerd.log",
};

/** What a daemon may see of our environment: how to find programs and reach the network, and no secrets. */
const PASSED_ON = ["PATH", "HOME", "SSL_CERT_FILE", "SSL_CERT_DIR"].concat(
  ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"].flatMap((name) => [name, name.toLowerCase()]),
);

/** The kernel keeps so many characters of a program's name. */
const KERNEL_NAME_LENGTH = 15;
const START_TIMEOUT_MS = 90_000;
const POLL_MS = 200;

/**
 * Starts a Docker daemon that outlives this process and holds none of its streams, and gives what `connect` gives once it works.
 * One that is already starting is waited for. Pid files of a dead daemon are removed first: after a restart of the machine
 * their numbers may belong to others, and dockerd would refuse to start.
 */
export async function startDockerd<T>(
  program: string,
  args: readonly string[],
  files: DaemonFiles,
  connect: () => Promise<T>,
): Promise<T> {
  const started = (await isHeldBy(files.pidFile, basename(program))) ? undefined : await launch(program, args, files);
  const deadline = performance.now() + START_TIMEOUT_MS;
  for (;;) {
    try {
      return await connect();
    } catch (error) {
      const end = started?.end ?? (performance.now() > deadline ? messageOf(error) : undefined);
      if (end === undefined) await delay(POLL_MS);
      else throw new SandboxError(`${program} does not work: ${end}\n${lastLines(await textOf(files.log))}`);
    }
  }
}

async function launch(program: string, args: readonly string[], files: DaemonFiles): Promise<{ end?: string }> {
  await rm(files.pidFile, { force: true });
  if (!(await isHeldBy(files.containerdPidFile, "containerd"))) await rm(files.containerdPidFile, { force: true });
  say(`starting ${program}, its log is ${files.log}`);
  const log = await open(files.log, "w", 0o640);
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => PASSED_ON.includes(name)));
  const child = spawn(program, args, { cwd: "/", detached: true, env, stdio: ["ignore", log.fd, log.fd] });
  await log.close();
  const state: { end?: string } = {};
  child.on("error", (error) => {
    state.end = error.message;
  });
  child.on("exit", (status, signal) => {
    state.end = `ended with ${signal ?? `status ${status}`}`;
  });
  child.unref();
  return state;
}

/** Whether the process that a pid file names is alive and is the named program. A zombie is dead, but still has its name. */
export async function isHeldBy(pidFile: string, program: string): Promise<boolean> {
  const pid = Number.parseInt(await textOf(pidFile), 10);
  if (!(pid > 0)) return false;
  const [, name, state] = /^Name:\t(.*)\n(?:.*\n)*?State:\t(.)/.exec(await textOf(`/proc/${pid}/status`)) ?? [];
  return name === program.slice(0, KERNEL_NAME_LENGTH) && state !== "Z";
}

/** The content of a file, empty when there is none. */
async function textOf(path: string): Promise<string> {
  return readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ESRCH") return "";
    throw error;
  });
}
