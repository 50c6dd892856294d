import type { Answer } from "./answer.ts";
import type { Call } from "./call.ts";

const DEFAULT_PAGE_SIZE = 30;
const LARGEST_PAGE = 100;

/**
 * Answers one page of a list, with the `Link` header to the others. `wrap` puts the page into an object, as the lists
 * do that tell a total count.
 */
export function page<T>(
  call: Call,
  items: readonly T[],
  render: (item: T) => unknown,
  wrap: (rendered: unknown[], total: number) => unknown = (rendered) => rendered,
): Answer {
  const size = pageSize(call);
  const number = Math.max(Number(call.query["page"] ?? 1) || 1, 1);
  const last = Math.max(Math.ceil(items.length / size), 1);
  const rendered = items.slice((number - 1) * size, number * size).map(render);
  const links = linksOf(call, number, last);
  return { status: 200, body: wrap(rendered, items.length), ...(links === "" ? {} : { headers: { link: links } }) };
}

/** How many items the caller wants on a page, as far as GitHub goes along. */
export function pageSize({ query }: Call): number {
  return Math.min(Number(query["per_page"] ?? DEFAULT_PAGE_SIZE) || DEFAULT_PAGE_SIZE, LARGEST_PAGE);
}

function linksOf(call: Call, number: number, last: number): string {
  const targets: (readonly [string, number])[] = [];
  if (number > 1) targets.push(["prev", number - 1]);
  if (number < last) targets.push(["next", number + 1], ["last", last]);
  if (number > 1) targets.push(["first", 1]);
  const base = `${call.world.addresses.api}${call.url.pathname}`;
  return targets
    .map(([name, target]) => {
      const query = new URLSearchParams(call.url.searchParams);
      query.set("page", String(target));
      return `<${base}?${query}>; rel="${name}"`;
    })
    .join(", ");
}
