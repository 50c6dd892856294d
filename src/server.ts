import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Logger } from "pino";
import { AutolithError, messageOf } from "./errors.ts";
import { answer } from "./server/answer.ts";
import { defaultLimits, deliveryGate } from "./server/delivery-gate.ts";
import type { BodyLimits } from "./server/read-body.ts";

/** Where GitHub sends deliveries. */
export const webhookPath = "/api/github/webhooks";

export interface ServerOptions {
  readonly listen: { readonly host: string; readonly port: number };
  /** Null for a process that only works: it answers for its health and nothing else. */
  readonly webhook: {
    readonly secret: string;
    /** Takes a verified delivery, whose text is the request's `body`, and answers it. */
    readonly receive: (request: IncomingMessage & { body: string }, response: ServerResponse) => unknown;
    readonly limits?: BodyLimits;
  } | null;
  /** Rejects when this process cannot do its work. */
  readonly checkHealth: () => Promise<void>;
  readonly log: Logger;
}

export interface RunningServer {
  readonly port: number;
  /** Takes no more requests, lets those under way end, and cuts off what is left after the time given. */
  close(graceMs: number): Promise<void>;
}

/** Starts to listen. Throws `AutolithError("config")` when the address cannot be had. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const server = createServer(listenerOf(options));
  server.headersTimeout = 10_000;
  server.requestTimeout = 30_000;
  const { host, port } = options.listen;
  try {
    server.listen(port, host);
    await once(server, "listening");
  } catch (error) {
    throw new AutolithError("config", `cannot listen on ${host}:${port}: ${messageOf(error)}`, { cause: error });
  }
  return { port: (server.address() as AddressInfo).port, close: (graceMs) => close(server, graceMs) };
}

function listenerOf({ webhook, checkHealth, log }: ServerOptions) {
  const receive = webhook === null ? null : receiver(webhook, log);
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      const path = request.url?.split("?", 1)[0];
      if (path === "/healthz") return await answerHealth(request, response, checkHealth);
      if (path === webhookPath && receive !== null) return await receive(request, response);
      answer(response, 404, { error: "there is nothing here" });
    } catch (error) {
      log.error({ err: error }, "request failed");
      if (!response.headersSent) answer(response, 500, { error: "something broke here" });
      else response.destroy();
    }
  };
}

function receiver(webhook: NonNullable<ServerOptions["webhook"]>, log: Logger) {
  const gate = deliveryGate({ secret: webhook.secret, limits: webhook.limits ?? defaultLimits, log });
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== "POST") {
      response.setHeader("allow", "POST");
      return answer(response, 405, { error: "deliveries are posted" });
    }
    const body = await gate(request, response);
    if (body !== null) await webhook.receive(Object.assign(request, { body }), response);
  };
}

async function answerHealth(request: IncomingMessage, response: ServerResponse, check: () => Promise<void>) {
  if (request.method !== "GET" && request.method !== "HEAD")
    return answer(response, 405, { error: "it can only be asked" });
  try {
    await check();
    answer(response, 200, { status: "ok" });
  } catch {
    // Anybody may ask; why it fails is for the log of whoever notices.
    answer(response, 503, { status: "unavailable" });
  }
}

async function close(server: Server, graceMs: number): Promise<void> {
  const closed = once(server, "close");
  server.close();
  // A connection that was in use when it closed would else be kept for the next request.
  const idle = setInterval(() => server.closeIdleConnections(), 20);
  const grace = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(idle);
  clearTimeout(grace);
}
