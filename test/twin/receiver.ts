import type { IncomingMessage, ServerResponse } from "node:http";
import { listen } from "./http/server.ts";

/** One delivery, as it came. */
interface Received {
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** What an app would be for the tests of webhooks: it keeps what it is sent, and answers as told. */
export async function receiver(status: () => number = () => 202) {
  const received: Received[] = [];
  const { server, origin } = await listen(async (request: IncomingMessage, response: ServerResponse) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    received.push({ headers: request.headers, body });
    response.writeHead(status()).end("ok");
  });
  const names = () =>
    received.map(({ headers, body }) => `${headers["x-github-event"]}.${JSON.parse(body).action ?? ""}`);
  return {
    received,
    names,
    url: `${origin}/api/github/webhooks`,
    [Symbol.asyncDispose]: async () => void server.close(),
  };
}
