import type { ServerResponse } from "node:http";

/** Answers with a small JSON object. */
export function answer(response: ServerResponse, status: number, body: Readonly<Record<string, string>>): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(text),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  response.end(text);
}

/** The same for a request whose body was not read to its end: the connection cannot be used again. */
export function refuse(response: ServerResponse, status: number, error: string): void {
  response.setHeader("connection", "close");
  answer(response, status, { error });
}
