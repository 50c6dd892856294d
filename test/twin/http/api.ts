import { answerProblem } from "../openapi/check-answer.ts";
import { checkRequest, type RequestCheck } from "../openapi/check-request.ts";
import { type Operation, operation } from "../openapi/description.ts";
import { fullName, type Repository } from "../world/repository.ts";
import type { World } from "../world/world.ts";
import { type Answer, ApiError, notFound } from "./answer.ts";
import { authenticate } from "./authentication.ts";
import { alternatives, authorize } from "./authorization.ts";
import { Call } from "./call.ts";
import type { Journal, RequestRecord } from "./journal.ts";
import type { Match, Router } from "./router.ts";

/** A request to the REST API, read whole. */
export interface ApiRequest {
  readonly method: string;
  /** Without the API's prefix. */
  readonly url: URL;
  readonly authorization: string | undefined;
  readonly accept: string;
  readonly body: unknown;
}

/** The REST API: matches, authenticates, authorizes, validates, answers. */
export class Api {
  readonly #world: World;
  readonly #router: Router;
  readonly #journal: Journal;
  readonly #checkAnswers: boolean;
  readonly #operations = new Map<string, Operation>();

  constructor(world: World, router: Router, journal: Journal, checkAnswers: boolean) {
    this.#world = world;
    this.#router = router;
    this.#journal = journal;
    this.#checkAnswers = checkAnswers;
  }

  /** The operation of a request, in GitHub's notation. */
  routeOf(method: string, path: string): string | null {
    return this.#match(method, path)?.route.on ?? null;
  }

  /** Answers a request; `record` gets what was found out about it. */
  async answer(request: ApiRequest, record: RequestRecord): Promise<Answer> {
    try {
      return await this.#handle(request, this.#match(request.method, request.url.pathname), record);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return this.errorAnswer(error, record.route);
    }
  }

  /** An error in the form that GitHub gives it. */
  errorAnswer(error: ApiError, on: string | null): Answer {
    const docs = on === null ? "https://docs.github.com/rest" : this.#operation(on).docs;
    const errors = error.errors === undefined ? {} : { errors: error.errors };
    const body = { message: error.message, ...errors, documentation_url: docs, status: String(error.status) };
    return { status: error.status, body, headers: error.headers };
  }

  async #handle(request: ApiRequest, match: Match | undefined, record: RequestRecord): Promise<Answer> {
    const identity = authenticate(this.#world, request.authorization);
    record.identity = identity.kind;
    if (identity.kind === "installation") record.permissions = identity.token.permissions;
    if (match === undefined) {
      this.#journal.surprises.push(`${request.method} ${request.url.pathname} is no operation of the twin`);
      throw notFound();
    }
    const { route, parameters } = match;
    this.#checkFormat(request.accept, route.on);
    const repository = this.#repository(parameters, request.url);
    const described = this.#operation(route.on);
    const { url, accept, body } = request;
    const check = checkRequest(described, { query: url.searchParams, body });
    const call = new Call({
      world: this.#world,
      identity,
      url,
      accept,
      parameters,
      repository,
      body,
      query: check.query,
    });
    const needs = typeof route.needs === "function" ? route.needs(call) : route.needs;
    record.needed = alternatives(needs);
    authorize(this.#world, identity, needs, repository, request.method);
    this.#report(route.on, check);
    if (repository?.archived === true && request.method !== "GET") {
      throw new ApiError(403, "Repository was archived so is read-only.");
    }
    const answer = await route.answer(call);
    if (this.#checkAnswers && answer.raw === undefined) this.#check(route.on, described, answer);
    return answer;
  }

  /** `/repositories/{id}/...` is `/repos/{owner}/{repo}/...` under the id, which stays when the name changes. */
  #match(method: string, path: string): Match | undefined {
    const [, id = "", rest = ""] = /^\/repositories\/(\d+)(\/.*)?$/.exec(path) ?? [];
    const repository = this.#world.repositories.all().find((candidate) => String(candidate.id) === id);
    return this.#router.match(method, repository === undefined ? path : `/repos/${fullName(repository)}${rest}`);
  }

  #repository(parameters: Readonly<Record<string, string>>, url: URL): Repository | undefined {
    const { owner, repo } = parameters;
    if (owner === undefined || repo === undefined) return undefined;
    const name = `${owner}/${repo}`;
    const repository = this.#world.repositoryByName(name);
    if (repository !== undefined) return repository;
    const moved = this.#world.repositories
      .all()
      .find((candidate) => candidate.formerNames.includes(name.toLowerCase()));
    if (moved === undefined) throw notFound();
    const rest = url.pathname
      .split("/")
      .slice(4)
      .map((part) => `/${part}`)
      .join("");
    const location = `${this.#world.addresses.api}/repositories/${moved.id}${rest}${url.search}`;
    throw new ApiError(301, "Moved Permanently", undefined, { location });
  }

  /** Files can be asked for raw; other forms than JSON are not served, and JSON in their place would go unnoticed. */
  #checkFormat(accept: string, on: string): void {
    const format = /application\/vnd\.github(?:\.v3)?\.(?!v3)(\w+)/.exec(accept)?.[1];
    if (format === undefined || (format === "raw" && on.includes("/contents/"))) return;
    this.#journal.surprises.push(`${on} is not served as ${format}`);
  }

  #report(on: string, check: RequestCheck): void {
    this.#journal.violations.push(...check.ignored.map((name) => `${on}: ${name} is not described`));
    this.#journal.violations.push(...check.errors.map((error) => `${on}: ${error}`));
    if (check.errors.length > 0) throw new ApiError(422, `Invalid request.\n\n${check.errors.join("\n")}`);
  }

  #check(on: string, described: Operation, answer: Answer): void {
    const problem = answerProblem(described, answer.status, answer.body);
    if (problem !== undefined) this.#journal.violations.push(`the twin's answer to ${on}: ${problem}`);
  }

  #operation(on: string): Operation {
    const known = this.#operations.get(on) ?? operation(on);
    if (known === undefined) throw new Error(`GitHub does not describe ${on}`);
    this.#operations.set(on, known);
    return known;
  }
}
