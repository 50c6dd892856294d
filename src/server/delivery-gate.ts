import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "pino";
import { answer, refuse } from "./answer.ts";
import { type Body, type BodyLimits, BodyReader } from "./read-body.ts";

export interface GateOptions {
  readonly secret: string;
  readonly limits: BodyLimits;
  readonly log: Logger;
}

/** GitHub delivers nothing larger: https://docs.github.com/en/webhooks/webhook-events-and-payloads */
export const defaultLimits: BodyLimits = { bytes: 25_000_000, timeMs: 15_000, bytesInFlight: 100_000_000 };

/** Lets a verified delivery's text through. Null: the request was refused and answered. */
export type DeliveryGate = (request: IncomingMessage, response: ServerResponse) => Promise<string | null>;

/**
 * Stands before everything that looks at a delivery: form, size and signature, in this order, so that nobody without the secret has
 * anything parsed or stored. A refusal is one line in the log, without the body. Only the SHA-256 signature counts.
 */
export function deliveryGate({ secret, limits, log }: GateOptions): DeliveryGate {
  const reader = new BodyReader(limits);
  return async (request, response) => {
    const signature = signatureOf(request);
    if (signature === null) return refused(request, response, 400, "no SHA-256 signature");
    const body = await reader.read(request);
    if (body.kind !== "read") return refused(request, response, ...unread[body.kind]);
    if (isSignedBy(secret, body.bytes, signature)) return body.bytes.toString("utf8");
    return refused(request, response, 400, "the signature does not match");
  };

  function refused(request: IncomingMessage, response: ServerResponse, status: number, reason: string): null {
    const { "x-github-delivery": delivery, "x-github-event": event } = request.headers;
    const told = { delivery: brief(delivery), event: brief(event), from: request.socket.remoteAddress };
    log.warn({ ...told, status, reason }, "delivery refused");
    if (request.complete) answer(response, status, { error: reason });
    else refuse(response, status, reason);
    return null;
  }
}

const unread: Record<Exclude<Body["kind"], "read">, [status: number, reason: string]> = {
  "too-large": [413, "the body is too large"],
  "too-slow": [408, "the body did not arrive in time"],
  "too-many": [503, "too many deliveries are arriving"],
  "cut-off": [400, "the body was cut off"],
};

function signatureOf(request: IncomingMessage): Buffer | null {
  const header = request.headers["x-hub-signature-256"];
  const hex = /^sha256=([0-9a-f]{64})$/.exec(typeof header === "string" ? header : "")?.[1];
  return hex === undefined ? null : Buffer.from(hex, "hex");
}

/** https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries */
function isSignedBy(secret: string, body: Buffer, signature: Buffer): boolean {
  return timingSafeEqual(createHmac("sha256", secret).update(body).digest(), signature);
}

/** Headers come from anybody. */
function brief(header: string | string[] | undefined): string | undefined {
  return typeof header === "string" ? header.slice(0, 64) : undefined;
}
