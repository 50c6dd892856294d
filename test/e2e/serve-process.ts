import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import type { ModelServer } from "../model-server/model-server.ts";
import type { Twin } from "../twin/twin.ts";

const launcher = resolve(import.meta.dirname, "../../bin/autolith");
const startMs = 60_000;
const stopMs = 30_000;

/** What the model is asked with. */
export const modelKey = "sk-only-for-tests-1234567890abcdef";

export type Role = "web" | "worker" | "all";

export interface Surroundings {
  readonly twin: Twin;
  readonly model: ModelServer;
  /** The data directory. */
  readonly data: string;
  readonly role: Role;
  readonly environment: Readonly<Record<string, string>>;
}

/** One process of `autolith serve`. */
export interface ServeProcess {
  readonly pid: number;
  /** Everything that it logged and said. */
  log(): string;
  /** Its port, when it serves; rejects when it ends before. */
  readonly listening: Promise<number>;
  /** Its exit status, when it has ended. */
  readonly ended: Promise<number | null>;
  /** Ends it, by SIGKILL if the signal does not, and gives the exit status. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Where a service that works on a data directory keeps temporary files. */
export function temporaryFolderOf(data: string): string {
  return join(data, "tmp");
}

export function launch({ twin, model, data, role, environment }: Surroundings): ServeProcess {
  const { PATH = "", HOME = "" } = process.env;
  const temporary = temporaryFolderOf(data);
  mkdirSync(temporary, { recursive: true });
  const child = spawn(process.execPath, [launcher, "serve", "--role", role], {
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
      TMPDIR: temporary,
      AUTOLITH_DEBOUNCE_SECONDS: "0",
      ...environment,
    },
  });
  let logged = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8");
    stream.on("data", (text: string) => (logged += text));
  }
  const ended = new Promise<number | null>((done) => child.on("close", done));
  const listening = portOf(child.stdout, ended);
  // Whoever does not wait for the port learns from the exit status.
  listening.catch(() => {});
  return {
    pid: child.pid ?? 0,
    log: () => logged,
    listening,
    ended,
    end: async (signal) => {
      child.kill(signal);
      const timer = setTimeout(() => child.kill("SIGKILL"), stopMs);
      const status = await ended;
      clearTimeout(timer);
      return status;
    },
  };
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
