import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { ExecutionResult, RunResult } from "../../src/sandbox/sandbox.ts";

const program = fileURLToPath(new URL("../../sandbox/supervisor", import.meta.url));

export interface Answer {
  /** Header of the `done` or `error` frame. */
  readonly header: Record<string, unknown>;
  readonly data: readonly { readonly header: Record<string, unknown>; readonly binary: Buffer }[];
}

export type Run = Omit<RunResult, "report"> & { readonly report: string; readonly reportText: string };

interface Waiting {
  readonly data: Answer["data"][number][];
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

/** The supervisor as an ordinary process in folders of its own, and the host's half of its protocol, at its barest. */
export class SupervisorProcess implements AsyncDisposable {
  readonly root: string;
  readonly workspace: string;
  readonly scratch: string;
  readonly process: ChildProcessWithoutNullStreams;
  /** Exit status, once the process has ended. */
  readonly exited: Promise<number | null>;
  #lastId = 0;
  #buffer = Buffer.alloc(0);
  readonly #waiting = new Map<number, Waiting>();
  readonly #strayFrames: Record<string, unknown>[] = [];

  constructor(root: string, environment: NodeJS.ProcessEnv = {}, layer = join(root, "layer")) {
    this.root = root;
    this.workspace = join(root, "work");
    this.scratch = join(root, "run");
    for (const name of ["work", "tmp", "run"]) mkdirSync(join(root, name));
    const folders = [
      "--workspace",
      this.workspace,
      "--tmp",
      join(root, "tmp"),
      "--run",
      this.scratch,
      "--layer",
      layer,
    ];
    this.process = spawn("python3", ["-I", program, ...folders], {
      env: { PATH: process.env["PATH"], ...environment },
    });
    this.exited = new Promise((resolve) => this.process.on("exit", resolve));
    this.process.stdout.on("data", (chunk: Buffer) => this.#receive(chunk));
    this.process.stdin.on("error", () => undefined);
    let diagnostics = "";
    this.process.stderr.on("data", (chunk: Buffer) => {
      diagnostics += chunk.toString();
    });
    void this.exited.then((status) => {
      const error = new Error(`the supervisor ended with status ${status}: ${diagnostics}`);
      for (const { reject } of this.#waiting.values()) reject(error);
    });
  }

  /** Starts one and says hello. */
  static async start(limits: Record<string, number> = {}): Promise<SupervisorProcess> {
    const supervisor = await SupervisorProcess.startSilent();
    await supervisor.done({ verb: "hello", protocol: 1, limits });
    return supervisor;
  }

  /** Starts one without a word; the folder of a layer lies beside its workspace unless another is given. */
  static async startSilent(layer?: string): Promise<SupervisorProcess> {
    const root = await mkdtemp(join(tmpdir(), "autolith-supervisor-"));
    return new SupervisorProcess(root, {}, layer);
  }

  /** Frames with an id that nobody waits for, such as an error about an unreadable frame. */
  get strayFrames(): readonly Record<string, unknown>[] {
    return this.#strayFrames;
  }

  nextId(): number {
    return ++this.#lastId;
  }

  sendBytes(bytes: Buffer): void {
    this.process.stdin.write(bytes);
  }

  sendFrame(header: Record<string, unknown>, binary: Uint8Array = new Uint8Array()): void {
    const text = Buffer.from(JSON.stringify(header));
    const lengths = Buffer.alloc(8);
    lengths.writeUInt32BE(4 + text.length + binary.length);
    lengths.writeUInt32BE(text.length, 4);
    this.sendBytes(Buffer.concat([lengths, text, binary]));
  }

  answerTo(id: number): Promise<Answer> {
    return new Promise((resolve, reject) => this.#waiting.set(id, { data: [], resolve, reject }));
  }

  /** Sends a request and waits for its `done` or `error`. */
  request(header: Record<string, unknown>, binary?: Uint8Array): Promise<Answer> {
    const id = this.nextId();
    const answer = this.answerTo(id);
    this.sendFrame({ id, ...header }, binary);
    return answer;
  }

  /** Sends a request that must be answered by `done`. */
  async done(header: Record<string, unknown>): Promise<Record<string, unknown>> {
    const answer = await this.request(header);
    if (answer.header["event"] !== "done") throw new Error(JSON.stringify(answer.header));
    return answer.header;
  }

  async execute(code: string, overrides: Record<string, unknown> = {}): Promise<ExecutionResult> {
    const header = await this.done({ verb: "execute", language: "python", code, timeoutMs: 30_000, ...overrides });
    return header as unknown as ExecutionResult;
  }

  async run(argv: readonly string[], overrides: Record<string, unknown> = {}): Promise<Run> {
    const fields = { argv, cwd: this.workspace, env: {}, timeoutMs: 30_000, report: false, input: null };
    const answer = await this.request({ verb: "run", ...fields, ...overrides });
    const reportText = Buffer.concat(answer.data.map(({ binary }) => binary)).toString();
    return { ...answer.header, reportText } as unknown as Run;
  }

  /** Uploads files; a value is a text, or the fields of `put-file` with a text. */
  put(files: Readonly<Record<string, string | { mode: string; text: string }>>, reset = false): Promise<Answer> {
    const id = this.nextId();
    const answer = this.answerTo(id);
    this.sendFrame({ id, verb: "put", reset });
    for (const [path, file] of Object.entries(files)) {
      const { mode, text } = typeof file === "string" ? { mode: "file", text: file } : file;
      this.sendFrame({ id, verb: "put-file", path, mode }, Buffer.from(text));
    }
    this.sendFrame({ id, verb: "put-end" });
    return answer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.process.stdin.end();
    const killer = new AbortController();
    void sleep(15_000, undefined, { signal: killer.signal })
      .then(() => this.process.kill("SIGKILL"))
      .catch(() => undefined);
    await this.exited;
    killer.abort();
    await rm(this.root, { recursive: true, force: true });
  }

  #receive(chunk: Buffer): void {
    this.#buffer = Buffer.concat([this.#buffer, chunk]);
    while (this.#buffer.length >= 8 && this.#buffer.length >= 4 + this.#buffer.readUInt32BE()) {
      const end = 4 + this.#buffer.readUInt32BE();
      const headerEnd = 8 + this.#buffer.readUInt32BE(4);
      const header: Record<string, unknown> = JSON.parse(this.#buffer.subarray(8, headerEnd).toString());
      this.#take(header, Buffer.from(this.#buffer.subarray(headerEnd, end)));
      this.#buffer = this.#buffer.subarray(end);
    }
  }

  #take(header: Record<string, unknown>, binary: Buffer): void {
    const id = typeof header["id"] === "number" ? header["id"] : 0;
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) {
      this.#strayFrames.push(header);
    } else if (header["event"] === "data") {
      waiting.data.push({ header, binary });
    } else {
      this.#waiting.delete(id);
      waiting.resolve({ header, data: waiting.data });
    }
  }
}
