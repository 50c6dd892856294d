import { createHmac } from "node:crypto";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { Message } from "../test/e2e/deliveries.ts";

/** Deliveries to send. Plain data, which can be given to a thread. */
export interface Burst {
  readonly messages: readonly Message[];
  readonly address: string;
  readonly secret: string;
  /** The time over which the deliveries are spread evenly. Unit: milliseconds. */
  readonly overMs: number;
}

/**
 * Sends a burst from a thread of its own. This process is also the GitHub whose API the service calls while it takes deliveries, and
 * what that computes would be added to the times. Gives and rejects what `sendBurst` does.
 */
export async function sendBurstApart(burst: Burst): Promise<number[]> {
  const thread = new Worker(new URL("burst-thread.ts", import.meta.url), { workerData: burst });
  const [samples] = await once(thread, "message");
  return samples as number[];
}

/**
 * Sends each delivery at its moment, whether or not earlier ones were answered, and gives how long each took to be acknowledged, in
 * milliseconds. Everything is signed before the first one leaves. Rejects when one is not answered with 2xx.
 */
export async function sendBurst({ messages, address, secret, overMs }: Burst): Promise<number[]> {
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
