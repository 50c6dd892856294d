import { z } from "zod";
import type { ToolCall, ToolDefinition } from "../../model/model.ts";
import { type Observation, refused } from "../observation.ts";
import { editFile } from "./edit-file.ts";
import { execute } from "./execute.ts";
import { readFile } from "./read-file.ts";
import { runTests } from "./run-tests.ts";
import { search } from "./search.ts";
import { shell } from "./shell.ts";
import type { Tool, Workspace } from "./tool.ts";

const finishArguments = z.object({
  root_cause: z.string().min(1).describe("why the tests failed, in one or two sentences"),
  summary: z.string().min(1).describe("what you changed, in one or two sentences"),
});
const giveUpArguments = z.object({
  reason: z.string().min(1).describe("why it cannot be repaired here, for a person"),
});

/** A tool call as the loop acts on it. */
export type Action =
  | { readonly kind: "finish"; readonly rootCause: string; readonly summary: string }
  | { readonly kind: "give-up"; readonly reason: string }
  | {
      readonly kind: "observe";
      readonly touches: boolean;
      run(workspace: Workspace, signal: AbortSignal): Promise<Observation>;
    };

const workspaceTools: ReadonlyMap<string, Tool<never>> = new Map(
  [execute, runTests, shell, readFile, search, editFile].map((tool) => [tool.name, tool as Tool<never>]),
);

/** The tools as the model is told of them; never changes within a run, so that prompt caches hold. */
export const toolDefinitions: readonly ToolDefinition[] = [
  ...[...workspaceTools.values()].map((tool) => definition(tool.name, tool.description, tool.arguments)),
  definition(
    "finish",
    "Claim that the repair is complete. It is then proven in a fresh container from your changed files; if the proof fails you are told why.",
    finishArguments,
  ),
  definition(
    "give_up",
    "End honestly when it cannot be repaired here, for example when the test itself is wrong.",
    giveUpArguments,
  ),
];

/** Reads a tool call; whatever is wrong with it becomes an observation. */
export function actionOf(call: ToolCall): Action {
  const parsed = parseJson(call.arguments);
  if (parsed === undefined)
    return complaint(`The arguments of ${call.name} are not valid JSON: ${call.arguments.slice(0, 200)}`);
  if (call.name === "finish") {
    const args = finishArguments.safeParse(parsed);
    return args.success
      ? { kind: "finish", rootCause: args.data.root_cause, summary: args.data.summary }
      : wrongArguments(call.name, args.error);
  }
  if (call.name === "give_up") {
    const args = giveUpArguments.safeParse(parsed);
    return args.success ? { kind: "give-up", reason: args.data.reason } : wrongArguments(call.name, args.error);
  }
  const tool = workspaceTools.get(call.name);
  if (tool === undefined) {
    return complaint(`There is no tool ${call.name}. Tools: ${toolDefinitions.map(({ name }) => name).join(", ")}.`);
  }
  const args = tool.arguments.safeParse(parsed);
  if (!args.success) return wrongArguments(call.name, args.error);
  return { kind: "observe", touches: tool.touches, run: (workspace, signal) => tool.run(args.data, workspace, signal) };
}

function definition(name: string, description: string, schema: z.ZodType): ToolDefinition {
  const { $schema: _, ...parameters } = z.toJSONSchema(schema) as Record<string, unknown>;
  return { name, description, parameters };
}

function wrongArguments(name: string, error: z.ZodError): Action {
  return complaint(`Wrong arguments for ${name}:\n${z.prettifyError(error)}`);
}

function complaint(text: string): Action {
  return { kind: "observe", touches: false, run: async () => refused(text) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text === "" ? "{}" : text);
  } catch {
    return undefined;
  }
}
