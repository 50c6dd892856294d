import type { TwinClock } from "./clock.ts";

const LIMIT = 5000;
const WINDOW_SECONDS = 3600;

interface Window {
  used: number;
  readonly reset: number;
}

/** The primary rate limit, counted for each credential; it is told, and never enforced (a fault does that). */
export class RateLimits {
  readonly #clock: TwinClock;
  readonly #windows = new Map<string, Window>();

  constructor(clock: TwinClock) {
    this.#clock = clock;
  }

  /** Counts a request and gives the headers that every answer carries. */
  headers(credential: string | undefined): Record<string, string> {
    const window = this.#window(credential);
    window.used += 1;
    return {
      "x-ratelimit-limit": String(LIMIT),
      "x-ratelimit-remaining": String(Math.max(LIMIT - window.used, 0)),
      "x-ratelimit-reset": String(window.reset),
      "x-ratelimit-used": String(window.used),
      "x-ratelimit-resource": "core",
    };
  }

  /** `rate-limit-overview`. */
  overview(credential: string | undefined): object {
    const { used, reset } = this.#window(credential);
    const core = { limit: LIMIT, used, remaining: Math.max(LIMIT - used, 0), reset };
    return { resources: { core, search: core, graphql: core }, rate: core };
  }

  #window(credential = ""): Window {
    const now = Math.floor(this.#clock.now() / 1000);
    const known = this.#windows.get(credential);
    if (known !== undefined && known.reset > now) return known;
    const window = { used: 0, reset: now + WINDOW_SECONDS };
    this.#windows.set(credential, window);
    return window;
  }
}
