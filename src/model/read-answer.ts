import { Stream } from "openai/streaming";
import { AnswerCollector, type RawAnswer } from "./answer-collector.ts";
import { type AnswerPart, answerSchema, errorSchema } from "./answer-schema.ts";
import { AnsweredError, MalformedAnswer } from "./request-failure.ts";

/**
 * Reads a successful HTTP answer, streamed or whole, whichever the endpoint chose to send; `asked` says whether a stream was asked for,
 * which decides when the endpoint does not name its kind. Text beyond `maxLength` characters is cut off, and `controller` then ends the
 * request. Throws `MalformedAnswer` or `AnsweredError`, and whatever breaks the connection.
 */
export async function readAnswer(
  response: Response,
  asked: boolean,
  maxLength: number,
  controller: AbortController,
): Promise<RawAnswer> {
  const type = response.headers.get("content-type") ?? "";
  const collector = new AnswerCollector(maxLength);
  if (/\bhtml\b/i.test(type)) throw new MalformedAnswer(`a page: ${(await response.text()).slice(0, 200)}`);
  if (/\bevent-stream\b/i.test(type) || (asked && !/\bjson\b/i.test(type)))
    await readStream(response, collector, controller);
  else collector.add(parse(jsonOf(await response.text())));
  const answer = collector.finish();
  if (answer === null) throw new MalformedAnswer("no choices, or a stream that ended before its answer");
  return answer;
}

async function readStream(response: Response, collector: AnswerCollector, controller: AbortController): Promise<void> {
  for await (const event of Stream.fromSSEResponse<unknown>(response, controller)) {
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
