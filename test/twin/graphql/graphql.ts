import { execute, GraphQLError, type GraphQLFieldResolver, parse, validate } from "graphql";
import { type Answer, ApiError } from "../http/answer.ts";
import { authenticate } from "../http/authentication.ts";
import type { Journal, RequestRecord } from "../http/journal.ts";
import type { World } from "../world/world.ts";
import { errorJson } from "./graphql-error.ts";
import { mutations } from "./mutations.ts";
import { queries } from "./queries.ts";
import { githubSchema } from "./schema.ts";
import type { Viewer } from "./viewer.ts";

/** The GraphQL API: GitHub's own schema, answered as far as the twin models it. */
export class GraphQl {
  readonly #world: World;
  readonly #journal: Journal;

  constructor(world: World, journal: Journal) {
    this.#world = world;
    this.#journal = journal;
  }

  /** Answers a query or mutation. As at GitHub, everything but a bad credential is a 200, with `errors`. */
  async answer(record: RequestRecord, authorization: string | undefined): Promise<Answer> {
    try {
      const viewer = this.#viewer(record, authorization);
      const { query, variables } = record.body as { query?: unknown; variables?: Record<string, unknown> };
      if (typeof query !== "string")
        return this.#invalid(new GraphQLError("A query attribute must be specified and must be a string."));
      return await this.#execute(query, variables ?? {}, viewer);
    } catch (error) {
      if (error instanceof ApiError) return { status: error.status, body: { message: error.message } };
      if (error instanceof GraphQLError) return this.#invalid(error);
      throw error;
    }
  }

  #viewer(record: RequestRecord, authorization: string | undefined): Viewer {
    const identity = authenticate(this.#world, authorization);
    record.identity = identity.kind;
    if (identity.kind !== "installation") throw new ApiError(401, "This endpoint requires you to be authenticated.");
    record.permissions = identity.token.permissions;
    if (identity.token.installation.suspendedAt !== null)
      throw new ApiError(403, "This installation has been suspended");
    const needed: string[] = [];
    record.needed = needed;
    return { world: this.#world, token: identity.token, needed };
  }

  async #execute(query: string, variableValues: Record<string, unknown>, viewer: Viewer): Promise<Answer> {
    const schema = await githubSchema();
    const document = parse(query);
    const errors = validate(schema, document);
    if (errors.length > 0) return this.#invalid(...errors);
    const rootValue = { ...queries(viewer), ...mutations(viewer) };
    const result = await execute({ schema, document, rootValue, variableValues, fieldResolver: this.#resolveField });
    // Variables of the wrong type leave no data at all, not even null.
    if (result.data === undefined) return this.#invalid(...(result.errors ?? []));
    const broken = result.errors?.find(
      ({ originalError }) => originalError != null && !(originalError instanceof GraphQLError),
    );
    if (broken?.originalError !== undefined) throw broken.originalError;
    return {
      status: 200,
      body: { data: result.data, ...(result.errors === undefined ? {} : { errors: result.errors.map(errorJson) }) },
    };
  }

  /** A query that GitHub's schema does not allow. */
  #invalid(...errors: readonly GraphQLError[]): Answer {
    this.#journal.violations.push(...errors.map((error) => `GraphQL: ${error.message}`));
    return { status: 200, body: { errors: errors.map(errorJson) } };
  }

  /** Reads a field of an object that the twin made; one that it does not model is a surprise. */
  readonly #resolveField: GraphQLFieldResolver<unknown, unknown> = (source, args, context, info) => {
    const value = (source as Record<string, unknown>)[info.fieldName];
    if (value === undefined) {
      const name = `${info.parentType.name}.${info.fieldName}`;
      this.#journal.surprises.push(`GraphQL ${name} is no field of the twin`);
      throw new GraphQLError(`the twin does not know ${name}`);
    }
    return typeof value === "function" ? value(args, context, info) : value;
  };
}
