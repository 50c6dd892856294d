import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Conversation } from "../model-server/conversation.ts";
import { type ModelServer, startModelServer } from "../model-server/model-server.ts";
import type { Policy } from "../model-server/policy.ts";
import { startTwin, type Twin } from "../twin/twin.ts";

const launcher = resolve(import.meta.dirname, "../../bin/autolith");
const startMs = 60_000;
const stopMs = 30_000;

/** `autolith serve` as a process, between a twin of GitHub and a scripted model. */
export interface Service extends AsyncDisposable {
  readonly twin: Twin;
  readonly model: ModelServer;
  /** Its data directory. */
  readonly data: string;
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
  /** Starts another process beside it, on the same data, and gives what became of that one. */
  startSecond(): Promise<{ readonly status: number | null; readonly said: string }>;
}

export const modelKey = "sk-only-for-tests-1234567890abcdef";

export interface ServiceOptions {
  readonly environment?: Readonly<Record<string, string>>;
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
  });
  const data = mkdtempSync(join(tmpdir(), "autolith-serve-"));
  let logged = "";
  let child: ReturnType<typeof launch> | null = null;

  async function start(): Promise<void> {
    const started = launch({ twin, model, data, ...options.environment });
    child = started;
    started.process.stdout.on("data", (text: string) => (logged += text));
    started.process.stderr.on("data", (text: string) => (logged += text));
    const port = await started.listening;
    twin.webhooks.connect(`http://127.0.0.1:${port}/api/github/webhooks`, twin.app.events);
  }

  async function end(signal: NodeJS.Signals): Promise<number | null> {
    if (child === null) return null;
    const { process: running, ended } = child;
    running.kill(signal);
    const timer = setTimeout(() => running.kill("SIGKILL"), stopMs);
    const status = await ended;
    clearTimeout(timer);
    child = null;
    return status;
  }

  await start();
  return {
    twin,
    model,
    data,
    log: () => logged,
    traces: () =>
      traceFiles(data)
        .map((path) => readFileSync(path, "utf8"))
        .join(""),
    think: (next) => (policy = next),
    stop: () => end("SIGTERM"),
    kill: async () => void (await end("SIGKILL")),
    start,
    startSecond: async () => {
      const second = launch({ twin, model, data, ...options.environment });
      let said = "";
      second.process.stdout.on("data", (text: string) => (said += text));
      second.process.stderr.on("data", (text: string) => (said += text));
      second.listening.catch(() => {});
      return { status: await second.ended, said };
    },
    [Symbol.asyncDispose]: async () => {
      await end("SIGTERM");
      await model[Symbol.asyncDispose]();
      await twin[Symbol.asyncDispose]();
      rmSync(data, { recursive: true, force: true });
    },
  };
}

function traceFiles(data: string): string[] {
  const folder = join(data, "traces");
  return readdirSync(folder).map((name) => join(folder, name));
}

interface Surroundings {
  readonly twin: Twin;
  readonly model: ModelServer;
  readonly data: string;
}

function launch({ twin, model, data, ...environment }: Surroundings) {
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(process.execPath, [launcher, "serve"], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH,
      HOME,
      ...passedOn(),
      APP_ID: String(twin.app.id),
      PRIVATE_KEY: twin.app.privateKey,
      WEBHOOK_SECRET: twin.app.webhookSecret,
      GHE_HOST: new URL(twin.url).host,
      GHE_PROTOCOL: "http",
      PORT: "0",
      OPENAI_BASE_URL: model.url,
      OPENAI_API_KEY: modelKey,
      AUTOLITH_MODEL: "scripted",
      AUTOLITH_DATA_DIR: data,
      AUTOLITH_DEBOUNCE_SECONDS: "0",
      ...environment,
    },
  });
  child.stdout.setEncoding("utf8");
  child.stderr.setEncoding("utf8");
  const ended = new Promise<number | null>((done) => child.on("close", done));
  return { process: child, ended, listening: portOf(child.stdout, ended) };
}

/** The port stands in the line that says that it serves. */
function portOf(stdout: NodeJS.ReadableStream, ended: Promise<number | null>): Promise<number> {
  return new Promise((done, fail) => {
    let text = "";
    const timer = setTimeout(() => fail(new Error(`autolith serve did not start: ${text}`)), startMs);
    stdout.on("data", (chunk: string) => {
      text += chunk;
      const port = /"port":(\d+)[^\n]*"msg":"serving"/.exec(text)?.[1];
      if (port === undefined) return;
      clearTimeout(timer);
      done(Number(port));
    });
    ended.then((status) => fail(new Error(`autolith serve ended with ${status}: ${text}`)));
  });
}

/** Which engine and image the tests use is the machine's matter. */
function passedOn(): Record<string, string> {
  const names = ["DOCKER_HOST", "AUTOLITH_SANDBOX_IMAGE"];
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}
