import type { GitHub } from "./octokit.ts";

/** GitHub keeps deliveries for three days; what is older than one is hardly worth a repair any more. */
const oldestMs = 24 * 3_600_000;
const mostLooked = 1_000;
const mostAsked = 200;

/**
 * Asks GitHub to deliver again what it could not: while nothing listened, or nothing behind the proxy. It comes by the usual way, with
 * its signature and under its first GUID, so what was stored already is known. Gives how many were asked for. A delivery that was
 * refused (4xx) is not asked for, since it would be refused again. `github` speaks as the App.
 */
export async function redeliverMissed(github: GitHub, now: Date, signal: AbortSignal): Promise<number> {
  const arrived = new Set<string>();
  const missed = new Map<string, number>();
  let looked = 0;
  const options = { per_page: 100, request: { signal } };
  pages: for await (const { data } of github.paginate.iterator(github.rest.apps.listWebhookDeliveries, options)) {
    for (const { id, guid, status_code: status, delivered_at: at } of data) {
      looked += 1;
      if (looked > mostLooked || now.getTime() - Date.parse(at) > oldestMs) break pages;
      if (status === 0 || status >= 500) missed.set(guid, id);
      else arrived.add(guid);
    }
  }
  // They are listed latest first, and are wanted in their own order.
  const wanted = [...missed].filter(([guid]) => !arrived.has(guid)).slice(0, mostAsked);
  for (const [, delivery_id] of wanted.reverse()) {
    await github.rest.apps.redeliverWebhookDelivery({ delivery_id, request: { signal } });
  }
  return wanted.length;
}
