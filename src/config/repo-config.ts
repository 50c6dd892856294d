import { parseDocument } from "yaml";
import { z } from "zod";
import { type KnownBot, knownBots } from "./known-bots.ts";

/** Where a repository configures Autolith. */
export const repoConfigPath = ".github/autolith.yml";

const botNames = Object.keys(knownBots) as [KnownBot, ...KnownBot[]];
const bot = z.union([
  z.enum(botNames),
  z.number().int().positive(),
  z.strictObject({
    id: z.number().int().positive().describe("id of the bot's user"),
    signed: z.boolean().describe("false: commits of this bot need no verified signature"),
  }),
]);

const reviewSchema = z.strictObject({
  bots: z
    .array(bot)
    .optional()
    .describe("whose pull requests are reviewed, by known name or by user id; an empty list: nobody's"),
  event: z
    .enum(["comment", "request_changes"])
    .optional()
    .describe("what a review is when it found something wrong; default: comment"),
  approve: z.boolean().optional().describe("approve bumps that are clean; default: false"),
});

/** What people write in `.github/autolith.yml`; an unknown key is an error. */
export const repoConfigSchema = z.strictObject({
  setup: z
    .array(z.string().min(1))
    .optional()
    .describe(
      "shell commands that install what the tests need; without them the project is looked at; [] installs nothing",
    ),
  test: z.string().min(1).optional().describe("shell command that runs the tests; without it the project is looked at"),
  review: reviewSchema.optional().describe("reviews of pull requests that bots open"),
});

export type RepoConfig = z.infer<typeof repoConfigSchema>;

export type ParsedRepoConfig =
  | { readonly kind: "valid"; readonly config: RepoConfig }
  | { readonly kind: "invalid"; readonly line: number; readonly message: string };

/** Reads the file's text; an invalid file is a value that says where and why, never an exception. */
export function parseRepoConfig(text: string): ParsedRepoConfig {
  const document = parseDocument(text);
  const [syntaxError] = document.errors;
  if (syntaxError !== undefined) {
    return {
      kind: "invalid",
      line: syntaxError.linePos?.[0].line ?? 1,
      message: syntaxError.message.split("\n")[0] ?? "",
    };
  }
  const parsed = repoConfigSchema.safeParse(document.toJS() ?? {});
  if (parsed.success) return { kind: "valid", config: parsed.data };
  const issue = parsed.error.issues[0];
  const path = issue?.code === "unrecognized_keys" ? [...issue.path, issue.keys[0] ?? ""] : (issue?.path ?? []);
  return {
    kind: "invalid",
    line: lineOf(text, document, path),
    message: issue?.message ?? "not a valid configuration",
  };
}

function lineOf(text: string, document: ReturnType<typeof parseDocument>, path: readonly PropertyKey[]): number {
  const node = document.getIn(path as string[], true);
  const offset =
    typeof node === "object" && node !== null && "range" in node
      ? (node as { range?: [number] }).range?.[0]
      : undefined;
  return offset === undefined ? 1 : text.slice(0, offset).split("\n").length;
}
