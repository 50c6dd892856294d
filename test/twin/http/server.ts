import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { GitHttp } from "../git/git-http.ts";
import type { GraphQl } from "../graphql/graphql.ts";
import type { World } from "../world/world.ts";
import { type Answer, ApiError, notFound } from "./answer.ts";
import type { Api } from "./api.ts";
import { type Fault, type Faults, faultAnswer } from "./faults.ts";
import type { Journal, RequestRecord } from "./journal.ts";

/** What GitHub speaks to whoever names no version, and the only one that every GitHub Enterprise Server knows. */
const API_VERSION = "2022-11-28";
const LARGEST_BODY = 60 * 1024 * 1024;

/** What a server hands its requests to. */
export interface Parts {
  readonly world: World;
  readonly api: Api;
  readonly graphQl: GraphQl;
  readonly git: GitHttp;
  readonly faults: Faults;
  readonly journal: Journal;
  /** `/api/v3` on GitHub Enterprise Server, else empty. */
  readonly prefix: string;
}

/** Starts a server on a free port of the loopback interface, and gives its origin. */
export async function listen(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<{ server: Server; origin: string }> {
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Everything under the twin's main address: the REST API, GraphQL, and git. */
export class GitHubServer {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Answers one request, and never throws. */
  readonly handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { journal } = this.#parts;
    const record = this.#record(request);
    journal.requests.push(record);
    try {
      await this.#answer(request, response, record);
    } catch (error) {
      journal.surprises.push(
        `${record.method} ${record.path} broke the twin: ${error instanceof Error ? error.stack : error}`,
      );
      if (!response.headersSent) send(response, { status: 500, body: { message: "the twin broke" } }, {});
    }
    record.status = response.headersSent ? response.statusCode : 0;
  };

  async #answer(request: IncomingMessage, response: ServerResponse, record: RequestRecord): Promise<void> {
    const { git, faults, world } = this.#parts;
    const isGit = git.serves(record.path);
    if (!isGit) record.body = await readBody(request);
    const fault = faults.take(record);
    if (fault?.delayMs !== undefined) await delay(fault.delayMs);
    if (fault !== undefined && fault.after !== true && (await spoil(fault, response))) return;
    if (isGit) return git.handle(request, response, record);
    const answer = await this.#apiAnswer(request, record);
    if (fault?.after === true && (await spoil(fault, response))) return;
    const limits = world.rateLimits.headers(request.headers.authorization?.split(" ").at(-1));
    send(response, withEtag(answer, request.headers["if-none-match"]), {
      ...limits,
      date: new Date(world.clock.now()).toUTCString(),
    });
  }

  async #apiAnswer(request: IncomingMessage, record: RequestRecord): Promise<Answer> {
    const { api, graphQl, journal, prefix } = this.#parts;
    const { authorization, accept = "", "user-agent": agent, "x-github-api-version": version } = request.headers;
    if (agent === undefined) {
      return api.errorAnswer(new ApiError(403, "Request forbidden by administrative rules."), null);
    }
    if (version !== undefined && version !== API_VERSION) {
      journal.surprises.push(`the twin does not speak version ${version} of the API`);
      return api.errorAnswer(new ApiError(400, `Version ${version} is not a supported API version.`), null);
    }
    const path = request.url ?? "/";
    if (path === this.#graphQlPath) return graphQl.answer(record, authorization);
    if (!path.startsWith(`${prefix}/`)) {
      journal.surprises.push(`${record.method} ${path} is outside of ${prefix}`);
      return api.errorAnswer(notFound(), null);
    }
    const url = new URL(record.path, "http://twin.invalid");
    return api.answer({ method: record.method, url, authorization, accept, body: record.body }, record);
  }

  #record(request: IncomingMessage): RequestRecord {
    const { api, prefix, world } = this.#parts;
    const { method = "GET", url = "/" } = request;
    const path = url.startsWith(`${prefix}/`) ? url.slice(prefix.length) : url;
    const route = url === this.#graphQlPath ? "POST /graphql" : api.routeOf(method, path.split("?")[0] ?? "");
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, value?.toString()]),
    );
    const found = { body: undefined, identity: "anonymous" as const, permissions: null, needed: [], status: 0 };
    return { method, path, route, at: world.clock.iso(), headers, ...found };
  }

  get #graphQlPath(): string {
    return this.#parts.prefix === "" ? "/graphql" : "/api/graphql";
  }
}

/** Sends what a fault says; false when the request goes on. */
async function spoil(fault: Fault, response: ServerResponse): Promise<boolean> {
  await fault.meanwhile?.();
  if (fault.drop === true) {
    response.socket?.destroy();
    return true;
  }
  const answer = faultAnswer(fault);
  if (answer !== undefined) send(response, answer, {});
  return answer !== undefined;
}

function send(response: ServerResponse, answer: Answer, headers: Readonly<Record<string, string>>): void {
  const data = answer.raw?.data ?? (answer.body === undefined ? undefined : Buffer.from(JSON.stringify(answer.body)));
  const type = answer.raw?.type ?? "application/json; charset=utf-8";
  const requestId = createHash("sha256").update(String(Math.random())).digest("hex").slice(0, 20).toUpperCase();
  response.writeHead(answer.status, {
    "x-github-request-id": requestId,
    "x-github-media-type": "github.v3; format=json",
    ...(data === undefined ? {} : { "content-type": type, "content-length": String(data.length) }),
    ...headers,
    ...answer.headers,
  });
  response.end(data);
}

function withEtag(answer: Answer, ifNoneMatch: string | undefined): Answer {
  if (answer.status !== 200 || answer.body === undefined) return answer;
  const etag = `W/"${createHash("sha256").update(JSON.stringify(answer.body)).digest("hex")}"`;
  if (ifNoneMatch === etag) return { status: 304, headers: { etag } };
  return { ...answer, headers: { ...answer.headers, etag } };
}

/** Reads a JSON body; text that is no JSON stays text. */
async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LARGEST_BODY) throw new Error("the body is too large for the twin");
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString("utf8");
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
