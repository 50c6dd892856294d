import { spawn } from "node:child_process";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Journal, RequestRecord } from "../http/journal.ts";
import type { Repository } from "../world/repository.ts";
import { allows, type InstallationToken } from "../world/tokens.ts";
import type { World } from "../world/world.ts";
import { GIT_ENVIRONMENT } from "./bare-repository.ts";

const PATH = /^\/([^/]+\/[^/]+?)(?:\.git)?\/(info\/refs|git-upload-pack|git-receive-pack|HEAD|objects\/.*)(?:\?|$)/;

/**
 * Git's smart protocol over HTTP, by git's own `http-backend`, behind GitHub's authentication. Only reading is served:
 * Autolith publishes through the API, so a push is refused and is a surprise, whatever the token may do.
 */
export class GitHttp {
  readonly #world: World;
  readonly #journal: Journal;

  constructor(world: World, journal: Journal) {
    this.#world = world;
    this.#journal = journal;
  }

  /** Whether a path is git's and not the API's. */
  serves(path: string): boolean {
    return PATH.test(path) && !path.startsWith("/repos/");
  }

  /** Answers one request of a git client. */
  async handle(request: IncomingMessage, response: ServerResponse, record: RequestRecord): Promise<void> {
    const [, name = "", service = ""] = PATH.exec(record.path) ?? [];
    const query = record.path.split("?")[1] ?? "";
    const repository = this.#world.repositoryByName(name);
    const token = this.#token(request.headers.authorization);
    if (token !== undefined) Object.assign(record, { identity: "installation", permissions: token.permissions });
    record.needed = ["contents:read"];
    const push = `${service}?${query}`.includes("git-receive-pack");
    if (push) this.#journal.surprises.push(`a git push to ${name}`);
    const status = push ? 403 : this.#refusal(request.headers.authorization, token, repository);
    if (status !== undefined || repository === undefined) return refuse(response, status ?? 404);
    await serve(request, response, repository, `/${service}`, query);
  }

  /** The status to refuse a read with; undefined lets it through. */
  #refusal(
    authorization: string | undefined,
    token: InstallationToken | undefined,
    repository: Repository | undefined,
  ): number | undefined {
    if (authorization !== undefined && token === undefined) return 401;
    if (token?.installation.suspendedAt != null) return 403;
    if (repository?.private === false) return undefined;
    if (token === undefined) return 401;
    if (repository === undefined || !this.#world.tokens.reaches(token, repository)) return 404;
    return allows(token.permissions, "contents:read") ? undefined : 403;
  }

  /** Git sends tokens as the password of the user `x-access-token`. */
  #token(authorization: string | undefined): InstallationToken | undefined {
    const encoded = /^basic (\S+)$/i.exec(authorization ?? "")?.[1];
    if (encoded === undefined) return undefined;
    const [user, ...password] = Buffer.from(encoded, "base64").toString("utf8").split(":");
    return user === "x-access-token" ? this.#world.tokens.find(password.join(":")) : undefined;
  }
}

function refuse(response: ServerResponse, status: number): void {
  const text = {
    401: "Invalid username or token.",
    403: "Write access to repository not granted.",
    404: "Repository not found.",
  }[status];
  const challenge = status === 401 ? { "www-authenticate": 'Basic realm="GitHub"' } : {};
  response.writeHead(status, { "content-type": "text/plain", ...challenge }).end(text);
}

/** Runs `git http-backend` as a CGI program. */
function serve(
  request: IncomingMessage,
  response: ServerResponse,
  repository: Repository,
  path: string,
  query: string,
): Promise<void> {
  const env = {
    ...GIT_ENVIRONMENT,
    GIT_PROJECT_ROOT: repository.git.directory,
    GIT_HTTP_EXPORT_ALL: "1",
    PATH_INFO: path,
    QUERY_STRING: query,
    REQUEST_METHOD: request.method ?? "GET",
    CONTENT_TYPE: request.headers["content-type"] ?? "",
    HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
    GIT_PROTOCOL: request.headers["git-protocol"]?.toString() ?? "",
    REMOTE_ADDR: "127.0.0.1",
  };
  return new Promise((resolve, reject) => {
    const backend = spawn("git", ["http-backend"], { env, stdio: ["pipe", "pipe", "ignore"] });
    let head: Buffer | undefined = Buffer.alloc(0);
    backend.stdout.on("data", (chunk: Buffer) => {
      if (head === undefined) return void response.write(chunk);
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf("\r\n\r\n");
      if (end === -1) return;
      writeHead(response, head.subarray(0, end).toString("latin1"));
      response.write(head.subarray(end + 4));
      head = undefined;
    });
    // The backend may answer without reading all that it is sent.
    backend.stdin.on("error", () => undefined);
    backend.on("error", reject);
    backend.on("close", () => {
      response.end();
      resolve();
    });
    response.on("close", () => backend.kill());
    request.pipe(backend.stdin);
  });
}

function writeHead(response: ServerResponse, head: string): void {
  const headers = head.split("\r\n").map((line) => line.split(/: */, 2) as [string, string]);
  const status = headers.find(([name]) => name.toLowerCase() === "status")?.[1];
  response.writeHead(
    status === undefined ? 200 : Number.parseInt(status, 10),
    Object.fromEntries(headers.filter(([name]) => name.toLowerCase() !== "status")),
  );
}
