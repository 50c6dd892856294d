import { z } from "zod";

const headers = z.record(z.string(), z.union([z.string(), z.number()]).optional());

const refusal = z.object({
  status: z.union([z.literal(403), z.literal(429)]),
  message: z.string().optional(),
  response: z.object({ headers }),
});

/** GraphQL refuses with status 200: https://docs.github.com/en/graphql/overview/rate-limits-and-query-limits-for-the-graphql-api */
const graphQlRefusal = z.object({
  errors: z.array(z.object({ type: z.string().optional() })).refine((each) => each.some(isLimit)),
  headers,
});

function isLimit({ type }: { type?: string | undefined }): boolean {
  return type === "RATE_LIMITED" || type === "RATE_LIMIT";
}

/** GitHub asks for a minute at least when it names no time. */
const leastMs = 60_000;
/** The limits are those of an hour: no server's clock or mistake keeps a job waiting for longer than that and a bit. */
const mostMs = 2 * 3_600_000;

/**
 * When requests may be made again after an error of Octokit; null when it is no rate limit.
 * https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit
 */
export function rateLimitedUntil(error: unknown, now: Date): Date | null {
  const inGraphQl = graphQlRefusal.safeParse(error);
  if (inGraphQl.success) return after(namedMs(inGraphQl.data.headers, now) ?? leastMs, now);
  const parsed = refusal.safeParse(error);
  if (!parsed.success) return null;
  const { response, status, message = "" } = parsed.data;
  const named = namedMs(response.headers, now);
  if (named !== null) return after(named, now);
  return status === 429 || /\bsecondary rate limit\b/i.test(message) ? after(leastMs, now) : null;
}

/** The wait that the headers ask for, in milliseconds; null when they ask for none. */
function namedMs(given: z.infer<typeof headers>, now: Date): number | null {
  const retryAfter = Number(given["retry-after"] ?? Number.NaN);
  if (Number.isFinite(retryAfter)) return retryAfter * 1000;
  if (String(given["x-ratelimit-remaining"]) !== "0") return null;
  const reset = Number(given["x-ratelimit-reset"] ?? 0);
  return Number.isFinite(reset) ? reset * 1000 - now.getTime() : 0;
}

function after(ms: number, now: Date): Date {
  return new Date(now.getTime() + Math.min(Math.max(ms, leastMs), mostMs));
}
