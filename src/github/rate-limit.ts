import { z } from "zod";

const refusal = z.object({
  status: z.union([z.literal(403), z.literal(429)]),
  response: z.object({ headers: z.record(z.string(), z.union([z.string(), z.number()]).optional()) }),
});

/** GitHub asks for a minute at least when it names no time. */
const leastMs = 60_000;

/**
 * When requests may be made again after an error of Octokit; null when it is no rate limit.
 * https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit
 */
export function rateLimitedUntil(error: unknown, now: Date): Date | null {
  const parsed = refusal.safeParse(error);
  if (!parsed.success) return null;
  const { headers } = parsed.data.response;
  const retryAfter = Number(headers["retry-after"] ?? Number.NaN);
  if (Number.isFinite(retryAfter)) return new Date(now.getTime() + Math.max(leastMs, retryAfter * 1000));
  if (String(headers["x-ratelimit-remaining"]) === "0") {
    const reset = Number(headers["x-ratelimit-reset"] ?? 0) * 1000;
    return new Date(Math.max(reset, now.getTime() + leastMs));
  }
  return parsed.data.status === 429 ? new Date(now.getTime() + leastMs) : null;
}
