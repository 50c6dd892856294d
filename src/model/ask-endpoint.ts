import OpenAI from "openai";
import type { RawAnswer } from "./answer-collector.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import type { Endpoint } from "./endpoint.ts";
import { readAnswer } from "./read-answer.ts";
import type { RequestBody } from "./request-body.ts";
import { requestFailure } from "./request-failure.ts";
import type { Attempt } from "./retry.ts";

export interface AskLimits {
  /** From sending to the answer's end. */
  readonly requestMs: number;
  /** Between two pieces of an answer; the first may take as long as `requestMs`, since reading a long prompt takes a local model minutes. */
  readonly idleMs: number;
  /** Of the answer's text and arguments, in characters. */
  readonly maxAnswerLength: number;
}

/** A stream spends about 300 bytes of framing on a token. */
const framing = 32;

/** The client's own clock only covers the time to the first header, so it is set out of the way; timers take at most 31 bits. */
const clientTimeoutMs = 2 ** 31 - 1;

/** Sends one request and reads its answer. Rejects only with the signal's reason. */
export async function askEndpoint(
  endpoint: Endpoint,
  body: RequestBody,
  limits: AskLimits,
  now: () => Date,
  signal: AbortSignal,
): Promise<Attempt<RawAnswer>> {
  const clock = new RequestClock(limits);
  const controller = new AbortController();
  try {
    const client = openAiClient(endpoint, limits, clock);
    const ends = AbortSignal.any([signal, clock.signal, controller.signal]);
    const response = await client.chat.completions
      .create(body, { signal: ends, timeout: clientTimeoutMs })
      .asResponse();
    const reading = { client, controller, streamed: body.stream === true, maxLength: limits.maxAnswerLength };
    return { kind: "answered", answer: await readAnswer(response, reading) };
  } catch (error) {
    signal.throwIfAborted();
    return { kind: "failed", failure: requestFailure(error, clock.signal.aborted, now()) };
  } finally {
    clock.stop();
    controller.abort();
  }
}

/** Everything that the client would otherwise look up in the environment is given, and its headers are replaced by our own. */
function openAiClient(endpoint: Endpoint, limits: AskLimits, clock: RequestClock): OpenAI {
  return new OpenAI({
    baseURL: endpoint.baseUrl,
    defaultQuery: { ...endpoint.query },
    apiKey: "sent by boundedFetch",
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    logLevel: "off",
    fetch: boundedFetch({
      headers: endpoint.headers,
      maxBytes: framing * limits.maxAnswerLength,
      onProgress: () => clock.progressed(),
    }),
  });
}

/** Aborts when a request takes too long as a whole, or stands still once its answer has begun. */
class RequestClock {
  readonly #controller = new AbortController();
  readonly #whole: NodeJS.Timeout;
  readonly #idleMs: number;
  #idle: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor({ requestMs, idleMs }: AskLimits) {
    this.#idleMs = idleMs;
    this.#whole = setTimeout(() => this.#controller.abort(), Math.max(0, requestMs));
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  progressed(): void {
    clearTimeout(this.#idle);
    if (this.#stopped) return;
    this.#idle = setTimeout(() => this.#controller.abort(), this.#idleMs);
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#whole);
    clearTimeout(this.#idle);
  }
}
