import { createHmac } from "node:crypto";
import { Agent, request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { Message } from "../test/e2e/deliveries.ts";

export interface SendOptions {
  readonly address: string;
  readonly secret: string;
  /** The time over which the deliveries are spread evenly. Unit: milliseconds. */
  readonly overMs: number;
}

/**
 * Sends each delivery at its moment, whether or not earlier ones were answered, and gives how long each took to be acknowledged, in
 * milliseconds. Everything is signed before the first one leaves. Rejects when one is not answered with 2xx.
 */
export async function sendBurst(messages: readonly Message[], options: SendOptions): Promise<number[]> {
  const { address, secret, overMs } = options;
  const agent = new Agent({ keepAlive: true });
  const ready = messages.map((message) => signed(message, secret));
  const started = performance.now();
  try {
    const answers = ready.map(async ({ headers, body }, index) => {
      await delay(Math.max(0, (index * overMs) / messages.length - (performance.now() - started)));
      const sent = performance.now();
      const status = await post(address, agent, headers, body);
      const took = performance.now() - sent;
      if (status < 200 || status >= 300) throw new Error(`a delivery was answered with ${status}`);
      return took;
    });
    return await Promise.all(answers);
  } finally {
    agent.destroy();
  }
}

function signed({ event, guid, payload }: Message, secret: string) {
  const body = Buffer.from(JSON.stringify(payload));
  const headers = {
    "content-type": "application/json",
    "content-length": body.length,
    "user-agent": "GitHub-Hookshot/bench",
    "x-github-delivery": guid,
    "x-github-event": event,
    "x-hub-signature-256": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
  };
  return { headers, body };
}

function post(address: string, agent: Agent, headers: Record<string, string | number>, body: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    const sending = request(address, { method: "POST", agent, headers }, (response) => {
      response.resume();
      response.once("end", () => resolve(response.statusCode ?? 0));
    });
    sending.once("error", reject);
    sending.end(body);
  });
}
