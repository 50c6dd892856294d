import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { AutolithError } from "../errors.ts";
import { redact } from "../redact.ts";
import { startGit } from "./git.ts";
import type { GitPlace } from "./git-environment.ts";

interface Pending {
  readonly id: string;
  resolve(bytes: Buffer): void;
  reject(error: Error): void;
}

/** A header line of git's answer is far shorter; a longer one means that the stream is not what we think. */
const maxHeaderBytes = 512;

/**
 * Reads blobs through one long-lived `git cat-file --batch`. Answers come in the order of the questions, so any number of reads
 * may be under way. The process starts with the first read and ends with disposal.
 */
export class BlobReader implements AsyncDisposable {
  readonly #place: GitPlace;
  readonly #pending: Pending[] = [];
  #child: ChildProcessWithoutNullStreams | null = null;
  #chunks: Buffer[] = [];
  #buffered = 0;
  /** Bytes of the answer that is being received, its closing line feed included; null between answers. */
  #bodyBytes: number | null = null;
  #disposed = false;

  constructor(place: GitPlace) {
    this.#place = place;
  }

  /** Rejects with an infrastructure error when there is no such blob, or when the reader is or gets disposed of. */
  read(id: string): Promise<Buffer> {
    if (this.#disposed) return Promise.reject(new AutolithError("infrastructure", "the object store is closed"));
    return new Promise((resolve, reject) => {
      this.#pending.push({ id, resolve, reject });
      this.#child ??= this.#start();
      this.#child.stdin.write(`${id}\n`);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#disposed = true;
    const child = this.#child;
    if (child === null) return;
    const gone = child.exitCode === null && child.signalCode === null ? once(child, "exit") : null;
    child.kill("SIGKILL");
    await gone?.catch(() => undefined);
  }

  #start(): ChildProcessWithoutNullStreams {
    const child = startGit(this.#place, ["cat-file", "--batch"], {});
    let said = "";
    const fail = (what: string) => {
      if (this.#child !== child) return;
      this.#child = null;
      this.#chunks = [];
      this.#buffered = 0;
      this.#bodyBytes = null;
      const error = new AutolithError("infrastructure", `git cat-file ${redact(`${what} ${said}`).trim()}`);
      for (const pending of this.#pending.splice(0)) pending.reject(error);
    };
    child.stdin.on("error", () => undefined);
    child.stderr.on("data", (chunk: Buffer) => {
      said = (said + chunk.toString("utf8")).slice(0, 2_000);
    });
    child.stdout.on("data", (chunk: Buffer) => {
      if (this.#child === child && !this.#receive(chunk)) child.kill("SIGKILL");
    });
    child.once("error", (error) => fail(`could not be started: ${error.message}`));
    child.once("close", (code, signal) => fail(`ended with ${code ?? signal}`));
    return child;
  }

  /** Takes in what git wrote; false when it is not an answer to the question. */
  #receive(chunk: Buffer): boolean {
    this.#chunks.push(chunk);
    this.#buffered += chunk.length;
    for (;;) {
      if (this.#bodyBytes === null) {
        const header = this.#takeHeader();
        if (header === null) return this.#buffered <= maxHeaderBytes;
        if (!this.#begin(header)) return false;
      } else {
        if (this.#buffered < this.#bodyBytes) return true;
        const body = this.#take(this.#bodyBytes);
        this.#bodyBytes = null;
        this.#pending.shift()?.resolve(body.subarray(0, -1));
      }
    }
  }

  #begin(header: string): boolean {
    const pending = this.#pending[0];
    const [id, kind, size] = header.split(" ");
    if (pending === undefined || id !== pending.id) return false;
    if (kind === "blob") {
      this.#bodyBytes = Number(size) + 1;
      return true;
    }
    if (kind !== "missing") return false;
    this.#pending.shift();
    pending.reject(new AutolithError("infrastructure", `the object store has no blob ${pending.id}`));
    return true;
  }

  #takeHeader(): string | null {
    const chunk = this.#chunks.length === 1 ? this.#chunks[0] : Buffer.concat(this.#chunks);
    if (chunk === undefined || chunk.length === 0) return null;
    this.#chunks = [chunk];
    const end = chunk.indexOf(10);
    return end === -1 ? null : this.#take(end + 1).toString("latin1", 0, end);
  }

  #take(size: number): Buffer {
    const all = this.#chunks.length === 1 ? this.#chunks[0] : Buffer.concat(this.#chunks);
    const bytes = all ?? Buffer.alloc(0);
    this.#chunks = bytes.length === size ? [] : [bytes.subarray(size)];
    this.#buffered -= size;
    return bytes.subarray(0, size);
  }
}
