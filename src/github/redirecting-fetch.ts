import { AutolithError } from "../errors.ts";

/** A repository that was renamed, and one that was moved after that. */
const mostHops = 3;
const reads = new Set(["GET", "HEAD"]);
/** 303 asks for a GET, so a write that is answered so was not made as it was meant. */
const redirects = new Set([301, 302, 303, 307, 308]);

/**
 * The platform's fetch, but a write that GitHub redirects is sent again as it is, method and body: fetch would make a GET of it, and
 * the answer to that, a list, would pass for the thing that was to be created. Only on the same server, since the token goes along.
 * Rejects with `AutolithError("infrastructure")` where a redirect leads elsewhere.
 * https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api#follow-redirects
 */
export const redirectingFetch: typeof fetch = async (input, init = {}) => {
  const method = (init.method ?? "GET").toUpperCase();
  if (reads.has(method) || !(typeof input === "string" || input instanceof URL)) return fetch(input, init);
  let url = new URL(String(input));
  for (let hops = 0; hops <= mostHops; hops += 1) {
    const response = await fetch(url.href, { ...init, redirect: "manual" });
    if (!redirects.has(response.status)) return response;
    const next = URL.parse(response.headers.get("location") ?? "", url.href);
    await response.body?.cancel();
    if (response.status === 303 || next === null || next.origin !== url.origin) {
      throw refused(method, url, `with ${response.status} to ${next?.origin ?? "nowhere"}, where it is not sent`);
    }
    url = next;
  }
  throw refused(method, url, "again and again");
};

function refused(method: string, url: URL, how: string): AutolithError {
  return new AutolithError("infrastructure", `GitHub redirects ${method} ${url.pathname} ${how}`);
}
