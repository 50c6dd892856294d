import type OpenAI from "openai";
import { Stream } from "openai/streaming";
import { AnswerCollector, type RawAnswer } from "./answer-collector.ts";
import { type AnswerPart, answerSchema, errorSchema } from "./answer-schema.ts";
import { AnsweredError, MalformedAnswer } from "./request-failure.ts";

export interface Reading {
  /** Reports nothing: without it, the stream's decoder writes to the console. */
  readonly client: OpenAI;
  /** Ends the request when no more of it is wanted. */
  readonly controller: AbortController;
  /** Whether a stream was asked for; decides when the endpoint does not name the kind of its answer. */
  readonly streamed: boolean;
  /** In characters; what is longer is cut. */
  readonly maxLength: number;
}

/**
 * Reads a successful HTTP answer, streamed or whole, whichever the endpoint chose to send. Throws `MalformedAnswer` or `AnsweredError`,
 * and whatever breaks the connection.
 */
export async function readAnswer(response: Response, reading: Reading): Promise<RawAnswer> {
  const type = response.headers.get("content-type") ?? "";
  const collector = new AnswerCollector(reading.maxLength);
  if (/\bhtml\b/i.test(type)) throw new MalformedAnswer(`a page: ${(await response.text()).slice(0, 200)}`);
  const isStream = /\bevent-stream\b/i.test(type) || (reading.streamed && !/\bjson\b/i.test(type));
  if (isStream) await readStream(response, reading, collector);
  else collector.add(parse(jsonOf(await response.text())));
  const answer = collector.finish();
  if (answer === null) throw new MalformedAnswer("no choices, or a stream that ended before its answer");
  return answer;
}

async function readStream(response: Response, reading: Reading, collector: AnswerCollector): Promise<void> {
  for await (const event of Stream.fromSSEResponse<unknown>(response, reading.controller, reading.client)) {
    collector.add(parse(event));
    if (collector.full) return;
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new MalformedAnswer(`not JSON: ${text.slice(0, 200)}`, { cause });
  }
}

function parse(value: unknown): AnswerPart {
  const error = errorSchema.safeParse(value);
  if (error.success) {
    const { message, code, type, param } = error.data.error;
    throw new AnsweredError(message ?? "an error without words", code ?? type ?? null, param ?? null);
  }
  const part = answerSchema.safeParse(value);
  if (!part.success) throw new MalformedAnswer("not a chat completion", { cause: part.error });
  return part.data;
}
