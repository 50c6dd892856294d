import type { Answer } from "./answer.ts";
import type { RequestRecord } from "./journal.ts";

/** Something to go wrong. What is left out matches everything, or is left as it is. */
export interface Fault {
  readonly method?: string;
  /** A path or operation as a whole, or a pattern in the path. Git's requests are matched too. */
  readonly path?: string | RegExp;
  readonly when?: (request: RequestRecord) => boolean;
  /** How many requests it hits before it is used up; 1 by default. */
  readonly count?: number;
  /** Carry the request out first, and lose the answer: what a 502 after success looks like. */
  readonly after?: boolean;
  readonly delayMs?: number;
  /** Cut the connection in place of answering. */
  readonly drop?: boolean;
  readonly status?: number;
  readonly message?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Happens before the request goes on: something that coincides with it. With `after`, it has been carried out by then. */
  readonly meanwhile?: () => Promise<void>;
}

/** The faults that a test asked for. */
export class Faults {
  readonly #faults: { readonly fault: Fault; left: number }[] = [];

  /** Adds one; the oldest matching one is used first. Returns a function that takes it away again. */
  add(fault: Fault): () => void {
    const entry = { fault, left: fault.count ?? 1 };
    this.#faults.push(entry);
    return () => {
      entry.left = 0;
    };
  }

  /** Takes the fault of a request, counting it down. */
  take(request: RequestRecord): Fault | undefined {
    const entry = this.#faults.find(({ fault, left }) => left > 0 && matches(fault, request));
    if (entry === undefined) return undefined;
    entry.left -= 1;
    return entry.fault;
  }
}

/** What GitHub answers under its secondary rate limit. */
export function secondaryRateLimit(retryAfterSeconds = 60, status: 403 | 429 = 403): Fault {
  const message = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.";
  return { status, message, headers: { "retry-after": String(retryAfterSeconds) } };
}

/** What GitHub answers when the hour's requests are used up. */
export function primaryRateLimit(resetAtSeconds: number): Fault {
  const headers = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(resetAtSeconds) };
  return { status: 403, message: "API rate limit exceeded for installation.", headers };
}

/** The answer that a fault gives; undefined when it only delays or cuts off. */
export function faultAnswer(fault: Fault): Answer | undefined {
  if (fault.status === undefined) return undefined;
  const body = {
    message: fault.message ?? "Server Error",
    documentation_url: "https://docs.github.com/rest",
    status: String(fault.status),
  };
  return { status: fault.status, body, headers: fault.headers ?? {} };
}

function matches(fault: Fault, request: RequestRecord): boolean {
  if (fault.method !== undefined && fault.method.toUpperCase() !== request.method) return false;
  if (fault.when !== undefined && !fault.when(request)) return false;
  if (fault.path === undefined) return true;
  const path = request.path.split("?")[0] ?? "";
  if (fault.path instanceof RegExp) return fault.path.test(path);
  return fault.path === path || request.route?.endsWith(` ${fault.path}`) === true;
}
