import { createHmac, randomUUID } from "node:crypto";
import type { Journal } from "../http/journal.ts";
import type { Json } from "../json/accounts.ts";
import { payloadProblem } from "../openapi/check-answer.ts";
import type { Happening } from "../world/happening.ts";
import type { World } from "../world/world.ts";
import { type Payload, payloadOf } from "./payloads.ts";

/** GitHub waits so long for an answer. */
const PATIENCE_MS = 10_000;

/** One delivery of a webhook, and how it was answered. */
export interface Delivery {
  readonly id: number;
  readonly guid: string;
  readonly event: string;
  readonly action: string | null;
  readonly payload: Json;
  readonly redelivery: boolean;
  readonly at: string;
  /** 0 when there was no answer. */
  readonly status: number;
  readonly response: string;
  readonly durationMs: number;
}

/** How a delivery may differ from a good one. */
export interface DeliveryOptions {
  /** A GUID of one's own, for the same delivery twice. */
  readonly guid?: string;
  /** Signs with another secret. */
  readonly secret?: string;
  /** Headers to add, change or (undefined) leave out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Sends these bytes, signed as they are, in place of the payload's JSON. */
  readonly body?: string;
  readonly redelivery?: boolean;
}

/** Sends webhooks to the app: on demand, and by itself for what it subscribed to. */
export class Webhooks {
  /** In the order in which they were answered. */
  readonly deliveries: Delivery[] = [];
  readonly #world: World;
  readonly #journal: Journal;
  readonly #secret: string;
  readonly #pending = new Set<Promise<unknown>>();
  #address: string | undefined;
  #events: ReadonlySet<string> = new Set();
  #checkPayloads: boolean;

  constructor(world: World, journal: Journal, secret: string, checkPayloads: boolean) {
    this.#world = world;
    this.#journal = journal;
    this.#secret = secret;
    this.#checkPayloads = checkPayloads;
    world.onHappening((happening) => this.#emit(happening));
  }

  /**
   * Says where the app listens. With `events`, everything of that kind that happens from now on is delivered by itself,
   * a moment later, as GitHub does; events about installations always are, then. Without, only `deliver` sends.
   */
  connect(address: string, events: readonly string[] = []): void {
    this.#address = address;
    this.#events = new Set(events.length === 0 ? [] : [...events, "installation", "installation_repositories"]);
  }

  /** The payload of something that happened, as `deliver` takes it. */
  payload(happening: Happening): Json {
    return this.#render(happening).payload;
  }

  /** Sends the webhook of something, as if it had just happened. */
  send(happening: Happening, options: DeliveryOptions = {}): Promise<Delivery> {
    return this.deliver(happening.event, this.payload(happening), options);
  }

  /** Sends one webhook and waits for its answer; a refused connection is status 0. */
  async deliver(event: string, payload: Json, options: DeliveryOptions = {}): Promise<Delivery> {
    if (this.#address === undefined)
      throw new Error("the twin does not know where the app listens: call connect first");
    const guid = options.guid ?? randomUUID();
    const body = options.body ?? JSON.stringify(payload);
    const headers = this.#headers(event, guid, body, options);
    const start = performance.now();
    const at = this.#world.clock.iso();
    const answer = await post(this.#address, headers, body);
    const action = typeof payload["action"] === "string" ? payload["action"] : null;
    const durationMs = performance.now() - start;
    const { redelivery = false } = options;
    const delivery = { id: this.#world.nextId(), guid, event, action, payload, redelivery, at, ...answer, durationMs };
    this.deliveries.push(delivery);
    return delivery;
  }

  /** Sends a delivery again, with the same GUID, as the button and the API do. */
  redeliver(delivery: Delivery): Promise<Delivery> {
    return this.deliver(delivery.event, delivery.payload, { guid: delivery.guid, redelivery: true });
  }

  /** Does something later that counts for `settled`. */
  defer(work: () => Promise<unknown>): void {
    const pending = new Promise((resolve) => setImmediate(resolve))
      .then(work)
      .finally(() => this.#pending.delete(pending));
    this.#pending.add(pending);
  }

  /** Waits until nothing is on its way, what came of the deliveries included. */
  async settled(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending);
  }

  #emit(happening: Happening): void {
    if (this.#address === undefined || !this.#events.has(happening.event)) return;
    // Only what happens where the app is installed reaches it, and nothing of a suspended installation but that.
    const { event, payload } = this.#render(happening);
    const { id } = (payload["installation"] ?? {}) as { id?: number };
    if (id === undefined) return;
    if (event !== "installation" && this.#world.installations.byId(id)?.suspendedAt != null) return;
    this.defer(() => this.deliver(event, payload));
  }

  #render(happening: Happening): Payload {
    const rendered = payloadOf(this.#world, happening);
    const problem = this.#checkPayloads ? payloadProblem(rendered.event, rendered.payload) : undefined;
    if (problem !== undefined) this.#journal.violations.push(`the twin's webhook ${rendered.event}: ${problem}`);
    return rendered;
  }

  #headers(event: string, guid: string, body: string, options: DeliveryOptions): Record<string, string> {
    const sign = (algorithm: string): string =>
      createHmac(algorithm, options.secret ?? this.#secret)
        .update(body)
        .digest("hex");
    const headers = {
      "content-type": "application/json",
      "user-agent": "GitHub-Hookshot/7e57000",
      "x-github-delivery": guid,
      "x-github-event": event,
      "x-github-hook-id": String(this.#world.app.id),
      "x-github-hook-installation-target-id": String(this.#world.app.id),
      "x-github-hook-installation-target-type": "integration",
      "x-hub-signature": `sha1=${sign("sha1")}`,
      "x-hub-signature-256": `sha256=${sign("sha256")}`,
      ...options.headers,
    };
    return Object.fromEntries(
      Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined),
    );
  }
}

async function post(
  address: string,
  headers: Record<string, string>,
  body: string,
): Promise<{ status: number; response: string }> {
  try {
    const answer = await fetch(address, { method: "POST", headers, body, signal: AbortSignal.timeout(PATIENCE_MS) });
    return { status: answer.status, response: await answer.text() };
  } catch (error) {
    return { status: 0, response: error instanceof Error ? error.message : String(error) };
  }
}
