import type { Duplex } from "node:stream";
import { messageOf, SandboxError } from "../errors.ts";
import { Demultiplexer } from "./demultiplexer.ts";
import { FrameWriter } from "./frame-writer.ts";
import { type Exchange, PendingRequest, RequestError, type Upload } from "./pending-request.ts";
import { bareDone, envelope } from "./protocol.ts";
import { TextTail } from "./text-tail.ts";
import { TurnQueue } from "./turn-queue.ts";
import { untilAborted } from "./until-aborted.ts";
import { encodeFrame, FrameDecoder, type WireFrame } from "./wire-frame.ts";

/** A pending request without the type of its answer. */
type Receiver = Pick<PendingRequest<unknown>, "data" | "done" | "fail" | "hurry" | "progress">;

/** The supervisor stayed silent for longer than a request allows; the container was given up. */
export class SilenceError extends SandboxError {}

/**
 * Requests and answers over the attached stream of one container.
 *
 * Requests are sent one at a time, in the order they are made, so that the clock of a request starts when the
 * supervisor can work on it. The channel ends for good, and every pending request rejects with `SandboxError`, when the
 * stream ends, the supervisor breaks the protocol, or it stays silent for too long.
 */
export class Channel {
  readonly #stream: Duplex;
  readonly #interruptAnswerMs: number;
  readonly #closed = new AbortController();
  readonly #writer: FrameWriter;
  readonly #turns = new TurnQueue();
  readonly #pending = new Map<number, Receiver>();
  readonly #diagnostics = new TextTail(2_000);
  #lastId = 0;

  /** Takes the stream over. The answer to a request that was interrupted is waited for at most `interruptAnswerMs`. */
  constructor(stream: Duplex, interruptAnswerMs: number) {
    this.#stream = stream;
    this.#interruptAnswerMs = interruptAnswerMs;
    this.#writer = new FrameWriter(stream, this.#closed.signal);
    const frames = new FrameDecoder((frame) => this.#receive(frame));
    const output = new Demultiplexer({
      stdout: (bytes) => frames.push(bytes),
      stderr: (bytes) => this.#diagnostics.push(bytes),
    });
    stream.on("data", (chunk: Buffer) => this.#guard(() => output.push(chunk)));
    stream.on("error", (error) =>
      this.close(new SandboxError("the connection to the sandbox broke", { cause: error })),
    );
    for (const end of ["end", "close"]) stream.on(end, () => this.#ended());
  }

  /** Aborted, with a `SandboxError` as reason, when the channel has ended. */
  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  /** Whether the supervisor still works on a request. */
  get busy(): boolean {
    return this.#pending.size > 0;
  }

  /**
   * Resolves with the checked answer. Rejects with `RequestError` when the supervisor refused, with `SandboxError` when the
   * channel has ended, and with the signal's reason when aborted: the request is then interrupted where it can be,
   * and the next one waits for its end.
   */
  async request<T>(exchange: Exchange<T>, signal: AbortSignal): Promise<T> {
    const endTurn = await this.#turns.take(signal);
    let id: number;
    let pending: PendingRequest<T>;
    try {
      signal.throwIfAborted();
      [id, pending] = this.#open(exchange);
    } catch (error) {
      endTurn();
      throw error;
    }
    pending.answer.then(endTurn, endTurn);
    try {
      return await untilAborted(this.#complete(id, pending, exchange), signal);
    } catch (error) {
      if (signal.aborted && exchange.interruptible) this.#interrupt(id, pending);
      throw error;
    }
  }

  /** Ends the channel; what is pending rejects with the reason. Does nothing the second time. */
  close(reason: SandboxError): void {
    if (this.#closed.signal.aborted) return;
    this.#closed.abort(reason);
    this.#stream.destroy();
    for (const pending of this.#pending.values()) pending.fail(reason);
    this.#pending.clear();
  }

  #open<T>(exchange: Exchange<T>): [number, PendingRequest<T>] {
    if (this.#closed.signal.aborted) {
      const { reason } = this.#closed.signal;
      throw new SandboxError(`the sandbox is gone: ${messageOf(reason)}`, { cause: reason });
    }
    const id = this.#lastId + 1;
    const frame = encodeFrame({ id, verb: exchange.verb, ...exchange.fields });
    this.#lastId = id;
    const pending = new PendingRequest(exchange, () =>
      this.close(new SilenceError(`the sandbox did not answer to ${exchange.verb} in time`)),
    );
    this.#pending.set(id, pending);
    this.#writer.write(frame);
    return [id, pending];
  }

  #complete<T>(id: number, pending: PendingRequest<T>, { upload }: Exchange<T>): Promise<T> {
    if (upload === undefined) return pending.answer;
    return Promise.all([pending.answer, this.#upload(id, pending, upload)]).then(([answer]) => answer);
  }

  async #upload(id: number, pending: Receiver, upload: Upload): Promise<void> {
    try {
      await upload(async (verb, fields, binary) => {
        await this.#writer.add(encodeFrame({ id, verb, ...fields }, binary));
        pending.progress();
      });
    } finally {
      await this.#writer.flush();
    }
  }

  #interrupt(target: number, pending: Receiver): void {
    if (this.#closed.signal.aborted || !this.#pending.has(target)) return;
    pending.hurry(this.#interruptAnswerMs);
    const silenceMs = this.#interruptAnswerMs;
    const [, answer] = this.#open({
      verb: "interrupt",
      fields: { target },
      done: bareDone,
      silenceMs,
      interruptible: false,
    });
    answer.answer.catch(() => undefined);
  }

  #receive(frame: WireFrame): void {
    const { id, event } = frame.header;
    const asked = event === "done" && typeof id === "number" ? this.#pending.get(id) : undefined;
    if (asked !== undefined) {
      // The schema of the request's own says the rest.
      asked.done(frame.header);
      this.#pending.delete(id as number);
    } else this.#receiveOther(frame);
  }

  #receiveOther(frame: WireFrame): void {
    const parsed = envelope.safeParse(frame.header);
    if (!parsed.success) throw new SandboxError("the supervisor sent an unknown event", { cause: parsed.error });
    const answer = parsed.data;
    const pending = this.#pending.get(answer.id ?? 0);
    if (pending === undefined) {
      throw new SandboxError(
        answer.event === "error"
          ? `the supervisor gave up: ${answer.message}`
          : "the supervisor answered a request that was not made",
      );
    }
    if (answer.event === "data") {
      pending.data(frame);
      return;
    }
    if (answer.event === "error") pending.fail(new RequestError(answer.code, answer.message));
    this.#pending.delete(answer.id ?? 0);
  }

  /** Nothing that arrives may throw out of a stream's event handler: that would end the whole process. */
  #guard(receive: () => void): void {
    if (this.#closed.signal.aborted) return;
    try {
      receive();
    } catch (error) {
      const broken = "the supervisor broke the protocol";
      this.close(error instanceof SandboxError ? error : new SandboxError(broken, { cause: error }));
    }
  }

  #ended(): void {
    const said = this.#diagnostics.text();
    this.close(new SandboxError(`the sandbox's container ended${said === "" ? "" : `; its supervisor said: ${said}`}`));
  }
}
