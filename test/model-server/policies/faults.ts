import { type Answer, fails } from "../answer.ts";
import { firstly, type Policy } from "../policy.ts";

export interface RateLimit {
  readonly times: number;
  /** In seconds, or an HTTP date; left out when undefined. */
  readonly retryAfter?: string | undefined;
}

/** Turns the first requests away with 429, then answers. */
export function rateLimited({ times, retryAfter }: RateLimit, then: Policy): Policy {
  const headers: Record<string, string> = retryAfter === undefined ? {} : { "retry-after": retryAfter };
  return firstly(
    times,
    () => fails(429, "Rate limit reached for requests", { code: "rate_limit_exceeded", headers }),
    then,
  );
}

export type Outage = "hang-up" | "half-way" | "unavailable" | "silence" | "page";

const outages: Readonly<Record<Outage, Answer>> = {
  "hang-up": { kind: "hang-up", when: "at-once" },
  "half-way": { kind: "hang-up", when: "half-way" },
  unavailable: fails(503, "The server is overloaded", { code: "overloaded" }),
  silence: { kind: "silence", when: "half-way" },
  page: { kind: "raw", status: 200, contentType: "text/html", body: "<!doctype html><title>Welcome to nginx!</title>" },
};

/** Never answers, in the given way. */
export function endpointDown(outage: Outage = "unavailable"): Policy {
  return () => outages[outage];
}
