import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Answer, TurnAnswer } from "./answer.ts";
import { chunks, completion, type Rendering } from "./render-answer.ts";
import type { ChatRequest } from "./request-schema.ts";
import type { UsageCounter } from "./usage.ts";

export interface Sending {
  /** Null when the request was refused, and then only errors are sent. */
  readonly request: ChatRequest | null;
  readonly form: Rendering["form"];
  readonly usage: "as-asked" | "never";
  readonly counter: UsageCounter;
  readonly chunkDelayMs: number;
}

/** Sends one answer, or misbehaves as it says. */
export async function sendAnswer(response: ServerResponse, answer: Answer, sending: Sending): Promise<void> {
  switch (answer.kind) {
    case "error":
      response.writeHead(answer.status, { "content-type": "application/json", ...answer.headers });
      response.end(JSON.stringify(answer.body));
      return;
    case "raw":
      response.writeHead(answer.status, { "content-type": answer.contentType });
      response.end(answer.body);
      return;
    case "hang-up":
      if (answer.when === "half-way") await beginning(response);
      response.destroy();
      return;
    case "silence":
      if (answer.when === "half-way") await beginning(response);
      return;
    case "turn":
      if (sending.request === null) throw new Error("a turn without a request");
      return sendTurn(response, answer, sending.request, sending);
    default:
      return answer satisfies never;
  }
}

async function sendTurn(
  response: ServerResponse,
  answer: TurnAnswer,
  request: ChatRequest,
  sending: Sending,
): Promise<void> {
  const counted = sending.counter.count(request, answer);
  const isAsked = request.stream !== true || request.stream_options?.include_usage === true;
  const usage = sending.usage === "never" || !isAsked ? null : counted;
  const rendering = { model: request.model, form: sending.form, usage };
  if (request.stream !== true) {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(completion(answer, rendering)));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const chunk of chunks(answer, rendering)) {
    if (response.destroyed) return;
    response.write(event(chunk));
    if (sending.chunkDelayMs > 0) await sleep(sending.chunkDelayMs);
  }
  response.end("data: [DONE]\n\n");
}

/** The first piece of a stream, flushed. */
async function beginning(response: ServerResponse): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const chunk = { choices: [{ index: 0, delta: { role: "assistant", content: "I am" }, finish_reason: null }] };
  await new Promise<void>((resolve) => {
    response.write(event(chunk), () => resolve());
  });
}

function event(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}
