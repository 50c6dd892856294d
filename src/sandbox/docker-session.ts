import { SandboxError } from "../errors.ts";
import { ByteCollector } from "./byte-collector.ts";
import { type Channel, SilenceError } from "./channel.ts";
import type { SandboxLimits } from "./limits.ts";
import type { Exchange } from "./pending-request.ts";
import { bareDone, executeDone, getDone, putDone, runData, runDone, statData, sweepDone } from "./protocol.ts";
import type {
  ExecuteRequest,
  ExecutionResult,
  RunRequest,
  RunResult,
  SandboxFacts,
  SandboxSession,
  WorkspaceEntry,
  WorkspaceFile,
} from "./sandbox.ts";
import { unansweredExecution, unansweredRun } from "./unanswered.ts";
import { uploadFiles } from "./upload.ts";

/** For requests whose work is bounded by the workspace. */
const silenceMs = 120_000;

/** A `put` ends in a commit of everything, and the first one in copying the layer. */
const putSilenceMs = 300_000;

/** Paths in one request; longer lists are sent in parts, since a request is one frame. */
const pathsPerRequest = 200;

/** The verbs of the protocol as the session that tools use. */
export class DockerSession implements SandboxSession {
  readonly facts: SandboxFacts;
  readonly #channel: Channel;
  readonly #limits: SandboxLimits;
  #epoch = 0;

  constructor(channel: Channel, facts: SandboxFacts, limits: SandboxLimits) {
    this.#channel = channel;
    this.facts = facts;
    this.#limits = limits;
  }

  async put(
    files: Iterable<WorkspaceFile> | AsyncIterable<WorkspaceFile>,
    options: { reset: boolean },
    signal: AbortSignal,
  ): Promise<void> {
    const upload: Exchange<unknown>["upload"] = (send) => uploadFiles(files, send, signal);
    const exchange = { ...plain("put", { reset: options.reset }), silenceMs: putSilenceMs, done: putDone, upload };
    await this.#channel.request(exchange, signal);
  }

  async remove(paths: readonly string[], signal: AbortSignal): Promise<void> {
    for (const part of parts(paths)) {
      await this.#channel.request({ ...plain("remove", { paths: part }), done: bareDone }, signal);
    }
  }

  list(signal: AbortSignal): Promise<WorkspaceEntry[]> {
    return this.#entries({ all: true }, this.#limits.workspaceFiles, signal);
  }

  async stat(paths: readonly string[], signal: AbortSignal): Promise<WorkspaceEntry[]> {
    const entries: WorkspaceEntry[] = [];
    for (const part of parts(paths)) {
      const answer = await this.#entries({ paths: part }, part.length, signal);
      if (answer.length !== part.length || answer.some((entry, index) => entry.path !== part[index])) {
        throw new SandboxError("the supervisor stated other paths than it was asked for");
      }
      entries.push(...answer);
    }
    return entries;
  }

  async get(path: string, maxBytes: number, signal: AbortSignal): Promise<WorkspaceFile | null> {
    const content = new ByteCollector(maxBytes);
    const exchange = { ...plain("get", { path, maxBytes }), done: getDone };
    const answer = await this.#channel.request({ ...exchange, onData: (frame) => content.add(frame.binary) }, signal);
    if (answer.kind !== "file" && answer.kind !== "symlink") return null;
    return { path, kind: answer.kind, executable: answer.executable, bytes: content.bytes() };
  }

  async execute(request: ExecuteRequest, signal: AbortSignal): Promise<ExecutionResult> {
    const { language, code, timeoutMs } = request;
    const limit = { silenceMs: timeoutMs + this.#limits.graceMs, interruptible: true };
    const exchange = { verb: "execute", fields: { language, code, timeoutMs }, done: executeDone, ...limit };
    try {
      const result = await this.#channel.request(exchange, signal);
      this.#epoch = result.epoch;
      return result;
    } catch (error) {
      if (error instanceof SilenceError) return unansweredExecution(limit.silenceMs, this.#epoch + 1);
      throw error;
    }
  }

  async run(request: RunRequest, signal: AbortSignal): Promise<RunResult> {
    const { argv, cwd, env, timeoutMs, report, input = null } = request;
    const content = new ByteCollector(this.#limits.reportBytes);
    const limit = { silenceMs: timeoutMs + this.#limits.graceMs, interruptible: true };
    const exchange = {
      verb: "run",
      fields: { argv, cwd, env, timeoutMs, report, input },
      done: runDone,
      onData: ({ header, binary }) => {
        runData.parse(header);
        content.add(binary);
      },
      ...limit,
    } satisfies Exchange<unknown>;
    try {
      const result = await this.#channel.request(exchange, signal);
      return { ...result, report: result.report === "present" ? content.bytes() : null };
    } catch (error) {
      if (error instanceof SilenceError) return unansweredRun(limit.silenceMs);
      throw error;
    }
  }

  async sweep(signal: AbortSignal): Promise<void> {
    const answer = await this.#channel.request({ ...plain("sweep", {}), done: sweepDone }, signal);
    this.#epoch = answer.epoch;
  }

  async #entries(fields: object, most: number, signal: AbortSignal): Promise<WorkspaceEntry[]> {
    const entries: WorkspaceEntry[] = [];
    const onData: Exchange<unknown>["onData"] = ({ header }) => {
      for (const entry of statData.parse(header).entries) entries.push(entry);
      if (entries.length > most) throw new SandboxError("the supervisor stated more paths than it was asked for");
    };
    await this.#channel.request({ ...plain("stat", fields), done: bareDone, onData }, signal);
    return entries;
  }
}

function plain(
  verb: string,
  fields: object,
): Pick<Exchange<unknown>, "verb" | "fields" | "silenceMs" | "interruptible"> {
  return { verb, fields, silenceMs, interruptible: false };
}

function parts(paths: readonly string[]): string[][] {
  const count = Math.ceil(paths.length / pathsPerRequest);
  return Array.from({ length: count }, (_, index) =>
    paths.slice(index * pathsPerRequest, (index + 1) * pathsPerRequest),
  );
}
