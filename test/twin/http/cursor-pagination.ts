import type { Answer } from "./answer.ts";
import type { Call } from "./call.ts";
import { pageSize } from "./pagination.ts";

/**
 * Answers one page of a list that is read on by an opaque cursor, as deliveries of webhooks are: pages have no numbers, and the
 * `Link` header names the next one only. https://docs.github.com/en/rest/apps/webhooks#list-deliveries-for-an-app-webhook
 */
export function pageByCursor<T extends { readonly id: number }>(
  call: Call,
  items: readonly T[],
  render: (item: T) => unknown,
): Answer {
  const size = pageSize(call);
  const after = items.findIndex(({ id }) => cursorOf(id) === call.query["cursor"]);
  const shown = items.slice(after + 1, after + 1 + size);
  const last = shown.at(-1);
  const body = shown.map(render);
  if (last === undefined || after + 1 + size >= items.length) return { status: 200, body };
  const query = new URLSearchParams(call.url.searchParams);
  query.set("cursor", cursorOf(last.id));
  const next = `${call.world.addresses.api}${call.url.pathname}?${query}`;
  return { status: 200, body, headers: { link: `<${next}>; rel="next"` } };
}

function cursorOf(id: number): string {
  return `v1_${id}`;
}
