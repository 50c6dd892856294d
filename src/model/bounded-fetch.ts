import { Agent, fetch } from "undici";

/** What the OpenAI client takes as its `fetch`. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

export interface FetchBounds {
  /** Sent instead of the client's own headers, which carry whatever the environment says. */
  readonly headers: Readonly<Record<string, string>>;
  /** Of the answer's body. */
  readonly maxBytes: number;
  /** Called for each piece of the body that arrives. */
  readonly onProgress: () => void;
}

/** The body of an answer was longer than `maxBytes`. */
export class BodyTooLarge extends Error {
  override readonly name = "BodyTooLarge";
}

/**
 * A `fetch` that follows no redirect (the key would go along), bounds the answer's body, and leaves every timeout but that of the
 * connection to the signal: Node's own `fetch` gives up after five minutes without headers, which a local model may well need.
 */
export function boundedFetch(bounds: FetchBounds): Fetch {
  return async (input, init) => {
    const response = await fetch(input instanceof Request ? input.url : input, {
      method: init?.method ?? "GET",
      headers: { ...kept(new Headers(init?.headers)), ...bounds.headers },
      body: typeof init?.body === "string" ? init.body : null,
      signal: init?.signal ?? null,
      redirect: "manual",
      dispatcher: connections(),
    });
    const { status, statusText, headers } = response;
    const body =
      response.body === null ? null : (response.body as ReadableStream<Uint8Array>).pipeThrough(limited(bounds));
    return new Response(body, { status, statusText, headers: [...headers] });
  };
}

let agent: Agent | undefined;

/** Kept alive between requests; they do not keep the process alive. */
function connections(): Agent {
  agent ??= new Agent({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 10_000 } });
  return agent;
}

function kept(headers: Headers): Record<string, string> {
  return Object.fromEntries(["accept", "content-type"].map((name) => [name, headers.get(name) ?? "application/json"]));
}

function limited({ maxBytes, onProgress }: FetchBounds): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) throw new BodyTooLarge(`more than ${maxBytes} bytes`);
      onProgress();
      controller.enqueue(chunk);
    },
  });
}
