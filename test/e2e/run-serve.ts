import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Conversation } from "../model-server/conversation.ts";
import { type ModelServer, startModelServer } from "../model-server/model-server.ts";
import type { Policy } from "../model-server/policy.ts";
import { startTwin, type Twin } from "../twin/twin.ts";
import { launch, modelKey, type Role, type ServeProcess } from "./serve-process.ts";

/** `autolith serve` as a process, between a twin of GitHub and a scripted model. */
export interface Service extends AsyncDisposable {
  readonly twin: Twin;
  readonly model: ModelServer;
  /** Its data directory. */
  readonly data: string;
  /** The process that runs now. */
  pid(): number;
  /** Where it takes deliveries now. */
  address(): string;
  /** Everything that it logged. */
  log(): string;
  /** Text of all traces. */
  traces(): string;
  /** Answers the model's requests from now on. */
  think(policy: Policy): void;
  /** Ends it by SIGTERM and gives the exit status. */
  stop(): Promise<number | null>;
  /** Kills it without warning. */
  kill(): Promise<void>;
  /** Starts it again, on the same data. */
  start(): Promise<void>;
  /** Starts another process beside it, on the same data. */
  beside(role: Role): ServeProcess;
}

export interface ServiceOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly role?: Role;
  /** What the twin delivers by itself: what the App subscribes to, or nothing, so that the test decides about every delivery. */
  readonly deliveries?: "subscribed" | "by hand";
  /** `never`: the model's endpoint tells no usage. */
  readonly usage?: "never";
}

/** Starts twin, model server and Autolith, and connects them. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const twin = await startTwin({ enterprise: true });
  let policy: Policy = () => {
    throw new Error("no model call was expected");
  };
  const model = await startModelServer({
    policy: (conversation: Conversation) => policy(conversation),
    apiKey: modelKey,
    ...(options.usage && { usage: options.usage }),
  });
  const data = mkdtempSync(join(tmpdir(), "autolith-serve-"));
  const { environment = {}, role = "all", deliveries = "subscribed" } = options;
  const earlier: string[] = [];
  const others: ServeProcess[] = [];
  let child: ServeProcess | null = null;
  let address = "";
  const run = (as: Role) => launch({ twin, model, data, role: as, environment });

  async function start(): Promise<void> {
    child = run(role);
    const port = await child.listening;
    const events = deliveries === "subscribed" ? twin.app.events : [];
    address = `http://127.0.0.1:${port}/api/github/webhooks`;
    twin.webhooks.connect(address, events);
  }

  async function end(signal: NodeJS.Signals): Promise<number | null> {
    if (child === null) return null;
    const ending = child;
    const status = await ending.end(signal);
    if (child === ending) {
      earlier.push(ending.log());
      child = null;
    }
    return status;
  }

  async function dispose(): Promise<void> {
    await Promise.all([end("SIGTERM"), ...others.map((other) => other.end("SIGTERM"))]);
    await model[Symbol.asyncDispose]();
    await twin[Symbol.asyncDispose]();
    rmSync(data, { recursive: true, force: true });
  }

  try {
    await start();
  } catch (error) {
    await dispose();
    throw error;
  }
  return {
    twin,
    model,
    data,
    pid: () => child?.pid ?? 0,
    address: () => address,
    log: () => [...earlier, child?.log() ?? ""].join(""),
    traces: () =>
      traceFiles(data)
        .map((path) => readFileSync(path, "utf8"))
        .join(""),
    think: (next) => (policy = next),
    stop: () => end("SIGTERM"),
    kill: async () => void (await end("SIGKILL")),
    start,
    beside: (as) => {
      const other = run(as);
      others.push(other);
      return other;
    },
    [Symbol.asyncDispose]: dispose,
  };
}

function traceFiles(data: string): string[] {
  const folder = join(data, "traces");
  return readdirSync(folder).map((name) => join(folder, name));
}
