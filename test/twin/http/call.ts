import type { RestEndpointMethodTypes } from "@octokit/rest";
import type { Account } from "../world/account.ts";
import type { Repository } from "../world/repository.ts";
import type { InstallationToken } from "../world/tokens.ts";
import type { World } from "../world/world.ts";
import { type Answer, notFound } from "./answer.ts";

/** Who sends a request. */
export type Identity =
  | { readonly kind: "anonymous" }
  | { readonly kind: "app" }
  | { readonly kind: "installation"; readonly token: InstallationToken };

/** The parameters of an operation as Octokit types them, `Input<"checks", "create">`. */
export type Input<
  Group extends keyof RestEndpointMethodTypes,
  Name extends keyof RestEndpointMethodTypes[Group],
> = RestEndpointMethodTypes[Group][Name] extends { parameters: infer Parameters } ? Parameters : never;

/** What a request comes with, once it was matched, allowed and validated. */
export interface CallParts {
  readonly world: World;
  readonly identity: Identity;
  readonly url: URL;
  readonly accept: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly repository: Repository | undefined;
}

/** One request to the API, as a route sees it. */
export class Call {
  readonly world: World;
  readonly identity: Identity;
  readonly url: URL;
  readonly accept: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly #parts: CallParts;

  constructor(parts: CallParts) {
    this.world = parts.world;
    this.identity = parts.identity;
    this.url = parts.url;
    this.accept = parts.accept;
    this.query = parts.query;
    this.body = parts.body;
    this.#parts = parts;
  }

  /** The repository that the path names. */
  get repository(): Repository {
    if (this.#parts.repository === undefined) throw notFound();
    return this.#parts.repository;
  }

  /** Who a change counts as made by: the bot of the app. */
  get actor(): Account {
    return this.world.bot;
  }

  /** A parameter of the path, decoded. */
  parameter(name: string): string {
    return this.#parts.parameters[name] ?? "";
  }

  /** A parameter of the path that is a number; 404 when it is none. */
  number(name: string): number {
    const text = this.parameter(name);
    if (!/^\d{1,15}$/.test(text)) throw notFound();
    return Number(text);
  }

  /** The body, which the API description has been checked against. */
  input<Group extends keyof RestEndpointMethodTypes, Name extends keyof RestEndpointMethodTypes[Group]>(): Input<
    Group,
    Name
  > {
    return (this.body ?? {}) as Input<Group, Name>;
  }

  /** The installation token; a route that needs a permission always has one. */
  get token(): InstallationToken {
    if (this.identity.kind !== "installation") throw notFound();
    return this.identity.token;
  }
}

/**
 * What a route asks of whoever calls it: the app's own JWT, any installation token, a permission such as
 * `checks:write`, or one of several permissions.
 */
export type Needs = "app" | "token" | `${string}:${"read" | "write"}` | readonly `${string}:${"read" | "write"}`[];

/** One operation of the REST API. */
export interface Route {
  /** Method and path as in GitHub's description, `GET /repos/{owner}/{repo}`. */
  readonly on: string;
  readonly needs: Needs | ((call: Call) => Needs);
  readonly answer: (call: Call) => Answer | Promise<Answer>;
}
