import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Job } from "../world/workflow.ts";
import type { World } from "../world/world.ts";
import type { Journal } from "./journal.ts";

const LIFETIME_MS = 60_000;

/** The blob storage behind job logs: another origin, addresses that carry their own permission and soon expire. */
export class LogStorage {
  readonly #world: World;
  readonly #journal: Journal;
  readonly #secret = randomBytes(32);
  readonly #jobs = new Map<string, Job>();

  constructor(world: World, journal: Journal) {
    this.#world = world;
    this.#journal = journal;
  }

  /** An address for a job's log, good for one minute. */
  addressOf(job: Job): string {
    const id = String(job.checkRun.id);
    this.#jobs.set(id, job);
    const expiry = this.#world.clock.now() + LIFETIME_MS;
    return `${this.#world.addresses.storage}/job-logs/${id}.txt?se=${expiry}&sig=${this.#sign(id, expiry)}`;
  }

  /** Hands out a log. Whoever sends a credential along gave it to a third party, which tests must hear about. */
  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    const url = new URL(request.url ?? "/", "http://storage.invalid");
    const id = /^\/job-logs\/(\d+)\.txt$/.exec(url.pathname)?.[1] ?? "";
    const expiry = Number(url.searchParams.get("se"));
    const job = this.#jobs.get(id);
    if (request.headers.authorization !== undefined) {
      this.#journal.violations.push("a credential was sent to the log storage");
      response.writeHead(400).end("InvalidAuthenticationInfo");
    } else if (job === undefined || !this.#signed(id, expiry, url.searchParams.get("sig") ?? "")) {
      response.writeHead(403).end("AuthenticationFailed");
    } else if (expiry < this.#world.clock.now()) {
      response.writeHead(403).end("Signed expiry time has passed");
    } else {
      response.writeHead(200, { "content-type": "text/plain" }).end(job.log ?? "");
    }
  };

  #signed(id: string, expiry: number, signature: string): boolean {
    const expected = Buffer.from(this.#sign(id, expiry));
    const given = Buffer.from(signature);
    return expected.length === given.length && timingSafeEqual(expected, given);
  }

  #sign(id: string, expiry: number): string {
    return createHmac("sha256", this.#secret).update(`${id}:${expiry}`).digest("hex");
  }
}
