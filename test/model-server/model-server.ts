import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import type { Answer } from "./answer.ts";
import { conversationOf } from "./conversation.ts";
import { type Features, refusalOf } from "./features.ts";
import type { Policy } from "./policy.ts";
import type { ChatRequest } from "./request-schema.ts";
import { sendAnswer } from "./send-answer.ts";
import type { TextForm } from "./text-form.ts";
import { UsageCounter } from "./usage.ts";
import { checkedRequest } from "./validate-request.ts";

export interface ModelServerOptions extends Features {
  readonly policy: Policy;
  /** Zero, the default, takes any free port. */
  readonly port?: number;
  /** When given, any other key is refused. */
  readonly apiKey?: string;
  /** When given, any other model is unknown. */
  readonly models?: readonly string[];
  /** `as-asked`, the default, is OpenAI's way: in streams only on demand. */
  readonly usage?: "as-asked" | "never";
  /** How tool calls are given; native by default, and never when the request brought no tools. */
  readonly form?: "native" | TextForm;
  /** User and assistant must alternate. */
  readonly alternation?: boolean;
  readonly chunkDelayMs?: number;
}

interface RecordedRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
  /** Milliseconds since the server started. */
  readonly at: number;
  /** What was answered: `turn`, `error 429`, and the like. */
  answered: string;
  /** True when the client left before the end. */
  aborted: boolean;
}

export interface ModelServer extends AsyncDisposable {
  /** Base URL with `/v1`. */
  readonly url: string;
  readonly port: number;
  readonly requests: readonly RecordedRequest[];
  /** Requests that a strict endpoint refuses, and calls that the policy did not expect. */
  readonly problems: readonly string[];
  /** Stops, then throws when there were problems or the script is not at its end. Disposing only stops. */
  close(): Promise<void>;
}

/** Starts an OpenAI-compatible server on the loopback address whose answers come from a policy. */
export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  const requests: RecordedRequest[] = [];
  const problems: string[] = [];
  const counter = new UsageCounter();
  const started = performance.now();
  const server = createServer((incoming, response) => {
    const record = {
      path: incoming.url ?? "",
      headers: incoming.headers,
      body: null,
      at: performance.now() - started,
      answered: "",
      aborted: false,
    };
    requests.push(record);
    response.on("close", () => {
      record.aborted = !response.writableFinished;
    });
    handle({ options, counter, problems, record }, incoming, response).catch((error: unknown) => {
      problems.push(`the server failed: ${String(error)}`);
      response.destroy();
    });
  });
  server.listen(options.port ?? 0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const stop = (): Promise<void> => stopped(server);
  const close = async (): Promise<void> => {
    await stop();
    const all = [...problems, ...(options.policy.leftovers?.() ?? [])];
    if (all.length > 0) throw new Error(`the model server saw problems:\n${all.join("\n")}`);
  };
  return { url: `http://127.0.0.1:${port}/v1`, port, requests, problems, close, [Symbol.asyncDispose]: stop };
}

interface Exchange {
  readonly options: ModelServerOptions;
  readonly counter: UsageCounter;
  readonly problems: string[];
  readonly record: { body: unknown; answered: string };
}

async function handle(exchange: Exchange, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const { options, record } = exchange;
  const text = await bodyOf(incoming);
  record.body = parsed(text);
  const decided = decide(exchange, incoming);
  record.answered = decided.answer.kind === "error" ? `error ${decided.answer.status}` : decided.answer.kind;
  await sendAnswer(response, decided.answer, {
    request: decided.request,
    form:
      decided.request?.tools === undefined && options.form === undefined ? "tool-call-tag" : (options.form ?? "native"),
    usage: options.usage ?? "as-asked",
    counter: exchange.counter,
    chunkDelayMs: options.chunkDelayMs ?? 0,
  });
}

interface Decision {
  readonly answer: Answer;
  /** Null when the request was no valid one. */
  readonly request: ChatRequest | null;
}

function decide({ options, problems, record }: Exchange, incoming: IncomingMessage): Decision {
  const refuse = (status: number, message: string, code: string | null = null): Decision => ({
    answer: {
      kind: "error",
      status,
      headers: {},
      body: { error: { message, type: "invalid_request_error", param: null, code } },
    },
    request: null,
  });
  const key = incoming.headers.authorization?.replace(/^Bearer /, "");
  if (key === undefined || (options.apiKey !== undefined && key !== options.apiKey)) {
    return refuse(401, `Incorrect API key provided: ${key}.`, "invalid_api_key");
  }
  if (incoming.method === "GET" && incoming.url === "/v1/models")
    return { answer: modelList(options.models ?? ["scripted"]), request: null };
  if (incoming.method !== "POST" || incoming.url !== "/v1/chat/completions")
    return refuse(404, `Invalid URL (${incoming.method} ${incoming.url})`);
  const refusal = refusalOf(record.body, options);
  if (refusal !== null) return { answer: refusal, request: null };
  const checked = checkedRequest(record.body, { alternation: options.alternation ?? false });
  if ("complaint" in checked) {
    problems.push(checked.complaint);
    return refuse(400, checked.complaint);
  }
  const { request } = checked;
  if (options.models !== undefined && !options.models.includes(request.model)) {
    return refuse(404, `The model \`${request.model}\` does not exist`, "model_not_found");
  }
  try {
    return { answer: options.policy(conversationOf(request)), request };
  } catch (error) {
    problems.push(String(error));
    return refuse(400, String(error), "surprise_call");
  }
}

function modelList(models: readonly string[]): Answer {
  const data = models.map((id) => ({ id, object: "model", created: 1_700_000_000, owned_by: "autolith" }));
  return { kind: "raw", status: 200, contentType: "application/json", body: JSON.stringify({ object: "list", data }) };
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function stopped(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
}
