import { randomUUID } from "node:crypto";
import { sign } from "@octokit/webhooks-methods";

export const secret = "the secret of the tests";

export interface Delivery {
  readonly event: string;
  readonly payload: unknown;
  readonly guid?: string;
  /** Overrides of headers; undefined leaves one out. */
  readonly headers?: Record<string, string | undefined>;
}

/** Posts a delivery as GitHub does, signed with the secret of the tests. */
export async function deliver(port: number, { event, payload, guid, headers = {} }: Delivery): Promise<Response> {
  const body = typeof payload === "string" ? payload : JSON.stringify(payload);
  const all = {
    "content-type": "application/json",
    "user-agent": "GitHub-Hookshot/0000000",
    "x-github-event": event,
    "x-github-delivery": guid ?? randomUUID(),
    "x-hub-signature-256": await sign(secret, body),
    ...headers,
  };
  const sent = Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  return fetch(addressOf(port), { method: "POST", body, headers: sent });
}

export function addressOf(port: number, path = "/api/github/webhooks"): string {
  return `http://127.0.0.1:${port}${path}`;
}
