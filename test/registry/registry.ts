import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Engine } from "../../src/sandbox/engine.ts";
import { NpmIndex, type NpmPackage } from "./npm-index.ts";
import { PythonIndex, type PythonPackage } from "./python-index.ts";

export interface RegistryOptions {
  readonly engine: Engine;
  readonly npm?: readonly NpmPackage[];
  readonly python?: readonly PythonPackage[];
  /** Where packages are got that this registry does not have; without it they do not exist. */
  readonly upstream?: string;
}

/** A registry for npm and an index for Python that a test serves itself; containers on the engine's default bridge reach it. */
export interface Registry extends AsyncDisposable {
  /** Address of the npm registry, with a slash at its end. */
  readonly url: string;
  /** Address of the Python index (PEP 503), with a slash at its end. */
  readonly index: string;
  readonly npm: NpmIndex;
  readonly python: PythonIndex;
  /** Method and path of every request, in order. */
  readonly requests: readonly string[];
  /** Leaves every request from now on without an answer; resolves with the first one. */
  hold(): Promise<string>;
  /** Answers again. */
  release(): void;
  /** What `readPackageSources` reads on a host that uses this registry. */
  readonly environment: Readonly<Record<string, string>>;
}

export async function startRegistry(options: RegistryOptions): Promise<Registry> {
  const host = await gateway(options.engine);
  const requests: string[] = [];
  let held: ((request: string) => void) | null = null;
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    if (held !== null) return held(request.url ?? "");
    const path = decodeURIComponent(new URL(request.url ?? "/", "http://registry").pathname);
    const content = path.startsWith("/python/") ? python.answer(path.slice(7)) : npm.answer(path);
    send(response, content, options.upstream && path.startsWith("/npm/") ? options.upstream + path.slice(5) : null);
  });
  await new Promise<void>((listening) => server.listen(0, "0.0.0.0", listening));
  const origin = `http://${host}:${(server.address() as AddressInfo).port}`;
  const url = `${origin}/npm/`;
  const index = `${origin}/python/simple/`;
  const npm = new NpmIndex(url, options.npm ?? []);
  const python = new PythonIndex(options.python ?? []);
  return {
    ...{ url, index, npm, python, requests },
    hold: () => new Promise((seen) => (held = seen)),
    release: () => (held = null),
    environment: { npm_config_registry: url, PIP_INDEX_URL: index, PIP_TRUSTED_HOST: host },
    [Symbol.asyncDispose]: () => {
      server.closeAllConnections();
      return new Promise((closed) => server.close(() => closed()));
    },
  };
}

function send(response: ServerResponse, content: Answer | null, upstream: string | null): void {
  if (content !== null) response.writeHead(200, { "content-type": content.type }).end(content.body);
  else if (upstream !== null) response.writeHead(302, { location: upstream }).end();
  else response.writeHead(404, { "content-type": "application/json" }).end('{"error":"Not found"}');
}

/** What a registry answers; null means that there is no such thing. */
export interface Answer {
  readonly type: string;
  readonly body: string | Buffer;
}

/** The host, as containers on the default bridge see it. */
async function gateway(engine: Engine): Promise<string> {
  const { IPAM } = await engine.docker.getNetwork("bridge").inspect();
  const address = IPAM?.Config?.[0]?.["Gateway"];
  if (address === undefined) throw new Error("the engine's default bridge has no gateway");
  return address;
}
