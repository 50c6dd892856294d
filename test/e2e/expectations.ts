import { honestFixer } from "../model-server/policies/fixer.ts";
import type { Policy } from "../model-server/policy.ts";
import type { Twin } from "../twin/twin.ts";
import type { PullIssue } from "../twin/world/issue.ts";
import type { Repository } from "../twin/world/repository.ts";
import { pythonProject } from "./projects.ts";

/** Repairs the Python project. */
export const fixer: Policy = honestFixer({
  edits: pythonProject.repair,
  root_cause: "Words were split at every single space.",
  summary: "Split at white space, and count without case.",
});

/** A model call is a surprise. */
export const nobody: Policy = () => {
  throw new Error("no model call was expected");
};

/** Pull requests that Autolith opened in a repository. */
export function proposals(twin: Twin, repository: Repository): PullIssue[] {
  return twin.pulls.of(repository).filter(({ pull }) => pull.head.ref.startsWith("autolith/"));
}

/** Branches of Autolith's in a repository. */
export async function pushed(repository: Repository): Promise<string[]> {
  const refs = await repository.git.text(["for-each-ref", "--format=%(refname)", "refs/heads/autolith/"]);
  return refs.split("\n").filter(Boolean);
}
