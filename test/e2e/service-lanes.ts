import { type PostgresqlServer, startPostgresql } from "../store/postgresql-server.ts";
import type { dialects } from "../store/use-store.ts";
import { type Service, startService } from "./run-serve.ts";

type Dialect = (typeof dialects)[number];

/** With PostgreSQL most of the time goes by waiting for a missed heartbeat, so several services share the machine. */
const lanes: Readonly<Record<Dialect, number>> = { pglite: 2, postgresql: 3 };

/** A few services, each for one user at a time, kept as long as nothing goes wrong. */
export class ServiceLanes implements AsyncDisposable {
  readonly #free: Record<Dialect, (Service | null)[]>;
  readonly #waiting: Record<Dialect, ((service: Service | null) => void)[]> = { pglite: [], postgresql: [] };
  #opening: Promise<unknown> = Promise.resolve();
  #postgresql: Promise<PostgresqlServer> | undefined;

  constructor() {
    const empty = (dialect: Dialect) => Array.from({ length: lanes[dialect] }, () => null);
    this.#free = { pglite: empty("pglite"), postgresql: empty("postgresql") };
  }

  /** Runs work with a service of the dialect; one whose work failed is thrown away. */
  async use(dialect: Dialect, work: (service: Service) => Promise<void>): Promise<void> {
    let lane = await this.#take(dialect);
    try {
      lane ??= await this.#openInTurn(dialect);
      await work(lane);
    } catch (error) {
      await lane?.[Symbol.asyncDispose]();
      lane = null;
      throw error;
    } finally {
      const next = this.#waiting[dialect].shift();
      if (next === undefined) this.#free[dialect].push(lane);
      else next(lane);
    }
  }

  #take(dialect: Dialect): Promise<Service | null> {
    const free = this.#free[dialect].shift();
    if (free !== undefined) return Promise.resolve(free);
    return new Promise((resolve) => this.#waiting[dialect].push(resolve));
  }

  /** One after another: starts at the same time only make each other slow, until one takes too long. */
  #openInTurn(dialect: Dialect): Promise<Service> {
    const opened = this.#opening.then(() => this.#open(dialect));
    this.#opening = opened.catch(() => undefined);
    return opened;
  }

  async #open(dialect: Dialect): Promise<Service> {
    // Long enough for a kill while the job waits.
    const environment = { AUTOLITH_DEBOUNCE_SECONDS: "1" };
    if (dialect === "pglite") return startService({ environment });
    this.#postgresql ??= startPostgresql();
    const DATABASE_URL = await (await this.#postgresql).createDatabase();
    return startService({ environment: { ...environment, DATABASE_URL } });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const services = [...this.#free.pglite, ...this.#free.postgresql];
    await Promise.all(services.map((service) => service?.[Symbol.asyncDispose]()));
    await (await this.#postgresql)?.[Symbol.asyncDispose]();
  }
}
