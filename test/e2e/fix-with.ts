import { expect, onTestFinished } from "vitest";
import { startModelServer } from "../model-server/model-server.ts";
import type { FixerPlan } from "../model-server/policies/fixer.ts";
import type { Policy } from "../model-server/policy.ts";
import type { Project, ProjectFiles } from "./projects.ts";
import { nodeProject, pythonProject } from "./projects.ts";
import { digestOf, type FixOutput, outputOf, projectFolder, runFix } from "./run-fix.ts";

/** A run of `autolith fix --json`. */
export interface Fixed {
  readonly exitCode: number | null;
  readonly output: FixOutput;
  readonly stderr: string;
  /** Requests that the model's endpoint saw. */
  readonly requests: number;
}

/** Runs `autolith fix --json` on a new folder and checks that it was left as it was. */
export async function fixWith(policy: Policy, files: ProjectFiles, args: readonly string[] = []): Promise<Fixed> {
  const server = await startModelServer({ policy });
  onTestFinished(async () => server[Symbol.asyncDispose]());
  const folder = projectFolder(files);
  const before = digestOf(folder);
  const { exitCode, stderr, ...run } = await runFix(["--repo", folder, "--json", ...args], { modelUrl: server.url });
  expect(digestOf(folder)).toBe(before);
  expect(server.problems).toEqual([]);
  return { exitCode, stderr, output: outputOf({ exitCode, stderr, ...run }), requests: server.requests.length };
}

/** What the honest policy does in a project. */
export function planFor(project: Project): FixerPlan {
  return { edits: project.repair, root_cause: "The code was wrong.", summary: "Corrected the code." };
}

/** A model call is a surprise. */
export const nobody: Policy = () => {
  throw new Error("no model call was expected");
};

/** One project in each language. */
export const projects = [
  ["Python", pythonProject],
  ["Node", nodeProject],
] as const;
