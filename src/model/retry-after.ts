/**
 * How long an answer asks to wait before the next request, in milliseconds; null when it does not say. Understands seconds and HTTP
 * dates (RFC 9110, 10.2.3) and OpenAI's `retry-after-ms`.
 */
export function retryAfterMs(headers: Pick<Headers, "get">, now: Date): number | null {
  const milliseconds = nonNegative(headers.get("retry-after-ms"));
  if (milliseconds !== null) return milliseconds;
  const value = headers.get("retry-after");
  const seconds = nonNegative(value);
  if (seconds !== null) return seconds * 1_000;
  // `Date.parse` makes something of nearly every text; an HTTP date begins with the name of a day.
  const date = value !== null && /^\s*[A-Z][a-z]{2}/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now.getTime());
}

function nonNegative(text: string | null): number | null {
  return text !== null && /^\s*\d{1,12}(\.\d{1,6})?\s*$/.test(text) ? Number(text) : null;
}
