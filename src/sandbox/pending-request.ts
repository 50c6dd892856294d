import type { z } from "zod";
import { SandboxError } from "../errors.ts";
import { SilenceTimer } from "./silence-timer.ts";
import type { WireFrame } from "./wire-frame.ts";

/** Sends one more frame of a request; resolves when the stream takes more. */
export type SendPart = (verb: string, fields: object, binary?: Uint8Array) => Promise<void>;

/** Sends the frames that follow a request; it must leave the request complete, also when it rejects. */
export type Upload = (send: SendPart) => Promise<void>;

/** One request and how to read its answer. */
export interface Exchange<T> {
  readonly verb: string;
  /** Header fields besides `id` and `verb`. */
  readonly fields: object;
  readonly done: z.ZodType<T>;
  /** Takes the `data` frames; none are expected when missing. What it throws ends the channel. */
  readonly onData?: (frame: WireFrame) => void;
  /** Sends the frames that follow the request. What it rejects with reaches the caller; it must leave the request complete. */
  readonly upload?: Upload;
  /** How long the supervisor may stay silent, in milliseconds, before the container is given up. */
  readonly silenceMs: number;
  /** Whether an `interrupt` ends it early when the caller aborts. */
  readonly interruptible: boolean;
}

/** The supervisor said that it could not carry a request out; the sandbox is still good. */
export class RequestError extends SandboxError {
  /** `no-space`: the workspace is full. `bad-request`: for example a path below a symlink. */
  readonly requestCode: "bad-request" | "not-found" | "no-space" | "internal";

  constructor(requestCode: RequestError["requestCode"], message: string) {
    super(`the sandbox refused a request (${requestCode}): ${message}`);
    this.requestCode = requestCode;
  }
}

/** A request that waits for its answer, and the timer that gives the container up when it stays silent. */
export class PendingRequest<T> {
  readonly answer: Promise<T>;
  readonly #exchange: Exchange<T>;
  readonly #resolve: (value: T) => void;
  readonly #reject: (error: SandboxError) => void;
  readonly #silence: SilenceTimer;

  constructor(exchange: Exchange<T>, onSilence: () => void) {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.answer = promise;
    this.#exchange = exchange;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#silence = new SilenceTimer(exchange.silenceMs, onSilence);
  }

  /** The supervisor was heard, or took more of an upload. */
  progress(): void {
    this.#silence.restart();
  }

  /** From now on the answer is only waited for this long. */
  hurry(milliseconds: number): void {
    this.#silence.restart(milliseconds);
  }

  /** Throws when no data is expected or it is not as the protocol says. */
  data(frame: WireFrame): void {
    if (this.#exchange.onData === undefined) {
      throw new SandboxError(`the supervisor sent data in answer to ${this.#exchange.verb}`);
    }
    this.progress();
    this.#exchange.onData(frame);
  }

  /** Throws when the answer is not as the protocol says. */
  done(header: WireFrame["header"]): void {
    const answer = this.#exchange.done.safeParse(header);
    if (!answer.success) {
      const message = `the supervisor's answer to ${this.#exchange.verb} is not as the protocol says`;
      throw new SandboxError(message, { cause: answer.error });
    }
    this.#silence.stop();
    this.#resolve(answer.data);
  }

  fail(error: SandboxError): void {
    this.#silence.stop();
    this.#reject(error);
  }
}
