import { buildASTSchema, type GraphQLSchema, parse } from "graphql";

let built: Promise<GraphQLSchema> | undefined;

/** GitHub's public GraphQL schema, built on first use (a third of a second) and once per process. */
export function githubSchema(): Promise<GraphQLSchema> {
  built ??= build();
  return built;
}

async function build(): Promise<GraphQLSchema> {
  const { schema } = await import("@octokit/graphql-schema");
  return buildASTSchema(parse(schema.idl, { noLocation: true }), { assumeValid: true, assumeValidSDL: true });
}
