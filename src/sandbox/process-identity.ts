import { readFile, readlink } from "node:fs/promises";
import { hostname } from "node:os";

/** One process among all that ever were. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it started, in the kernel's own clock; empty where there is no `/proc`. Tells a reused pid apart. */
  readonly started: string;
  /** Where pids can be compared at all: host name, boot and pid namespace. */
  readonly place: string;
}

/** The identity of this process. */
export async function currentProcess(): Promise<ProcessIdentity> {
  const [started, boot, namespace] = await Promise.all([
    startOf(process.pid),
    readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => ""),
    readlink("/proc/self/ns/pid").catch(() => ""),
  ]);
  return { pid: process.pid, started: started ?? "", place: `${hostname()} ${boot.trim()} ${namespace}` };
}

/** True only when the process is certainly gone: of one that ran elsewhere, or before a reboot, nothing is known. */
export async function isGone(identity: ProcessIdentity, here: ProcessIdentity): Promise<boolean> {
  if (identity.place !== here.place) return false;
  if (!exists(identity.pid)) return true;
  const started = await startOf(identity.pid);
  return identity.started !== "" && started !== null && started !== identity.started;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

/**
 * Fields 3 and 22 of `/proc/PID/stat` (proc_pid_stat(5)), counted behind the name, which may hold spaces and brackets.
 * Null without such a file; a zombie, which is dead but not yet waited for, has no start.
 */
async function startOf(pid: number): Promise<string | null> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
  if (stat === null) return null;
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "Z" ? "none" : (fields[19] ?? null);
}
