import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { deliverAll, doubled, messageOf, messagesOfRun } from "../test/e2e/deliveries.ts";
import { nobody } from "../test/e2e/expectations.ts";
import { eventually, redRepository } from "../test/e2e/red-repository.ts";
import { type Service, startService } from "../test/e2e/run-serve.ts";
import { storm } from "../test/e2e/storm-scene.ts";
import type { PullIssue } from "../test/twin/world/issue.ts";
import { sendBurstApart } from "./burst-sender.ts";

/** A service of its own, with a GitHub that sends only what the benchmark sends. */
export interface ServiceScene extends AsyncDisposable {
  /** Sends 200 deliveries, each of 100 twice, in four seconds; gives how long each took to be acknowledged, in milliseconds. */
  burst(seed: number): Promise<number[]>;
  /** The same burst at a process that does nothing but check the signature: what the machine itself takes at the moment. */
  bareBurst(seed: number): Promise<number[]>;
  /** Lets as many jobs begin as may run at once, and waits until all of them run their tests. */
  beginJobs(): Promise<void>;
  /** Ends these jobs by closing their pull requests, and waits until the service has closed them out. */
  endJobs(): Promise<void>;
  /** What the process takes of the machine's memory now. Unit: megabytes. */
  residentMb(): number;
}

const concurrency = 8;
const overMs = 4_000;

/** Computes for a twentieth of the time, and for longer than any measurement takes. */
const slowTest = [
  "import time",
  "end = time.monotonic() + 240",
  "while time.monotonic() < end:",
  "    busy = time.monotonic() + 0.005",
  "    while time.monotonic() < busy:",
  "        pass",
  "    time.sleep(0.095)",
  "raise SystemExit(1)",
].join("\n");

/** What the measured service was busy with, for the reader. */
export const busyWork = [
  `Each burst: 200 deliveries in ${overMs / 1000} s, of check runs, pull requests and comments, 100 different ones twice each, shuffled.`,
  `The ${concurrency} jobs are in triage, each in a container of its own with a test that computes for a twentieth of the time.`,
].join("\n");

/** Starts a service that has eight jobs at once at most. */
export async function serviceScene(environment: Readonly<Record<string, string>>): Promise<ServiceScene> {
  const service = await startService({
    // Failed checks wait for the whole time of a measurement, so that the eight jobs are the only ones.
    environment: { AUTOLITH_CONCURRENCY: String(concurrency), AUTOLITH_DEBOUNCE_SECONDS: "600", ...environment },
    deliveries: "by hand",
  });
  service.think(nobody);
  const { twin } = service;
  const secret = twin.app.webhookSecret;
  const pulls: PullIssue[] = [];
  const burstAt = async (address: string, seed: number) => {
    // A completed suite would start the jobs of a burst, and the service would not be idle any more.
    const messages = (await storm(twin, 5)).messages.filter(({ event }) => event !== "check_suite");
    return sendBurstApart({ messages: doubled(messages, seed), address, secret, overMs });
  };
  return {
    burst: (seed) => burstAt(service.address(), seed),
    bareBurst: async (seed) => {
      await using bare = await bareServer(secret);
      return await burstAt(bare.address, seed);
    },
    beginJobs: async () => void pulls.push(...(await beginJobs(service))),
    endJobs: () => endJobs(service, pulls),
    residentMb: () => residentMb(service.pid()),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

async function bareServer(secret: string): Promise<AsyncDisposable & { readonly address: string }> {
  const program = fileURLToPath(new URL("bare-server.ts", import.meta.url));
  const child = spawn(process.execPath, [program, secret], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  const [port] = await once(child.stdout, "data");
  return {
    address: `http://127.0.0.1:${String(port).trim()}`,
    [Symbol.asyncDispose]: async () => {
      child.kill();
      await ended;
    },
  };
}

async function beginJobs(service: Service): Promise<PullIssue[]> {
  const { twin } = service;
  const pulls: PullIssue[] = [];
  const step = { run: "python3 slow.py", output: "AssertionError", exitCode: 1 };
  for (let index = 0; index < concurrency; index += 1) {
    const { repository, pull } = await redRepository(twin, { files: { "slow.py": slowTest } });
    pulls.push(pull);
    const run = await twin.workflows.run(repository, { branch: "topic", jobs: [{ name: "test", steps: [step] }] });
    await deliverAll(twin, messagesOfRun(twin, run), 1);
  }
  await eventually("eight jobs", () => countIn(service.log(), '"msg":"job started"') >= concurrency || undefined);
  const inTriage = () => countIn(service.traces(), '"type":"stage-started","stage":"triage"') >= concurrency;
  await eventually("eight jobs in triage", () => inTriage() || undefined);
  await delay(5_000);
  return pulls;
}

async function endJobs(service: Service, pulls: readonly PullIssue[]): Promise<void> {
  const { twin } = service;
  for (const pull of pulls) {
    twin.pulls.setState(pull, "closed", pull.author);
    const closed = messageOf(twin, { event: "pull_request", action: "closed", pull, sender: pull.author });
    await deliverAll(twin, [closed], 1);
  }
  await eventually(
    "the end of all jobs",
    () => countIn(service.log(), '"msg":"job closed"') >= pulls.length || undefined,
  );
}

function countIn(text: string, part: string): number {
  return text.split(part).length - 1;
}

/** https://man7.org/linux/man-pages/man5/proc_pid_status.5.html */
function residentMb(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  if (kilobytes === undefined) throw new Error("the service has no process any more");
  return Math.round((Number(kilobytes) * 1024) / 1_000_000);
}
