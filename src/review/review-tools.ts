import { z } from "zod";
import { type Observation, observed, refused } from "../loop/observation.ts";
import { execute } from "../loop/tool/execute.ts";
import { readFile } from "../loop/tool/read-file.ts";
import { runTests } from "../loop/tool/run-tests.ts";
import { search } from "../loop/tool/search.ts";
import { shell } from "../loop/tool/shell.ts";
import type { Tool, Workspace } from "../loop/tool/tool.ts";
import type { ToolCall, ToolDefinition } from "../model/model.ts";
import type { ClaimedFinding } from "./findings.ts";

const submitArguments = z.object({
  findings: z.array(
    z.object({
      file: z.string().describe("a file of the diff"),
      line: z.number().int().min(1).describe("a line of the new file that the diff shows"),
      message: z.string().min(1).max(600).describe("what goes wrong and when, in one or two sentences"),
      evidence: z.object({
        run: z.number().int().min(1).describe("number of the run that shows it"),
        shows: z.string().min(1).max(400).describe("the part of that run's output that shows it, word for word"),
      }),
    }),
  ),
});

/** The tools of a review: those that look and run. Numbered ones give facts that a finding can quote. */
const tools: ReadonlyMap<string, { readonly tool: Tool<never>; readonly isNumbered: boolean }> = new Map(
  [
    { tool: execute, isNumbered: true },
    { tool: runTests, isNumbered: true },
    { tool: shell, isNumbered: false },
    { tool: readFile, isNumbered: false },
    { tool: search, isNumbered: false },
  ].map((each) => [each.tool.name, { ...each, tool: each.tool as Tool<never> }]),
);

const descriptions: Readonly<Record<string, string>> = {
  run_tests: "Run all tests of the head, or those with the given ids, in a fresh process.",
};

/** As the model is told of them; never changes, so that prompt caches hold. */
export const reviewToolDefinitions: readonly ToolDefinition[] = [
  ...[...tools.values()].map(({ tool }) =>
    definition(tool.name, descriptions[tool.name] ?? tool.description, tool.arguments),
  ),
  definition(
    "submit_review",
    "End the review. Each finding needs a line that the diff shows and a quotation from a numbered run; others are dropped. An empty list is a good review of a good change.",
    submitArguments,
  ),
];

/** A tool call as the review acts on it. */
export type ReviewAction =
  | { readonly kind: "submit"; readonly findings: readonly ClaimedFinding[] }
  | {
      readonly kind: "observe";
      /** The call's arguments in words, when its observation counts as a run. */
      readonly input: string | null;
      run(workspace: Workspace, signal: AbortSignal): Promise<Observation>;
    };

/** Reads a tool call; whatever is wrong with it becomes an observation. */
export function reviewActionOf(call: ToolCall): ReviewAction {
  const parsed = parseJson(call.arguments);
  if (parsed === undefined) return complaint(`The arguments of ${call.name} are not valid JSON.`);
  if (call.name === "submit_review") {
    const args = submitArguments.safeParse(parsed);
    if (!args.success) return complaint(`Wrong arguments for submit_review:\n${z.prettifyError(args.error)}`);
    return { kind: "submit", findings: args.data.findings };
  }
  const found = tools.get(call.name);
  if (found === undefined) {
    const names = reviewToolDefinitions.map(({ name }) => name).join(", ");
    return complaint(`There is no tool ${call.name}. Tools: ${names}.`);
  }
  const args = found.tool.arguments.safeParse(parsed);
  if (!args.success) return complaint(`Wrong arguments for ${call.name}:\n${z.prettifyError(args.error)}`);
  return {
    kind: "observe",
    input: found.isNumbered ? inputOf(call.name, args.data) : null,
    run: (workspace, signal) => found.tool.run(args.data, workspace, signal),
  };
}

function inputOf(name: string, args: Readonly<Record<string, unknown>>): string {
  if (name === "execute") return String(args["code"]);
  const ids = args["tests"];
  return Array.isArray(ids) ? ids.join("\n") : "all tests";
}

function definition(name: string, description: string, schema: z.ZodType): ToolDefinition {
  const { $schema: _, ...parameters } = z.toJSONSchema(schema) as Record<string, unknown>;
  return { name, description, parameters };
}

function complaint(text: string): ReviewAction {
  return { kind: "observe", input: null, run: async () => refused(text) };
}

/** The observation with the number under which it can be quoted. */
export function numbered(number: number, { text, failed }: Observation): Observation {
  return failed ? refused(text) : observed(`[run ${number}]\n${text}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text === "" ? "{}" : text);
  } catch {
    return undefined;
  }
}
