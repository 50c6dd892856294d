import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { eventually, ownChecks } from "../e2e/red-repository.ts";
import type { Service } from "../e2e/run-serve.ts";
import type { PullIssue } from "../twin/world/issue.ts";
import type { Repository } from "../twin/world/repository.ts";
import type { DemoRepository } from "./plans.ts";

const folder = join(import.meta.dirname, "repositories");

/** A demo repository on the twin, with the branch whose check will turn red. */
export interface Scene {
  readonly repository: Repository;
  readonly branch: string;
  readonly sha: string;
  /** The pull request whose check turns red; undefined for the default branch. */
  readonly pull: PullIssue | undefined;
}

/** Puts a pull request on the twin that brings the bug: its default branch has the repaired files. */
export async function pullRequestScene(service: Service, demo: DemoRepository): Promise<Scene> {
  const { twin } = service;
  const red = filesOf(demo.name);
  const repository = await twin.repositories.add({ owner: "acme", name: demo.repository, files: repaired(red, demo) });
  const author = twin.accounts.ensure("ada");
  twin.repositories.permit(repository, author, "write");
  const branch = demo.branch;
  const sha = await twin.repositories.commit(repository, { branch, files: red, author, message: demo.title });
  const pull = await twin.pulls.open(repository, { head: branch, author, title: demo.title });
  return { repository, branch, sha, pull };
}

/** Puts a repository on the twin whose default branch has the bug. */
export async function defaultBranchScene(service: Service, demo: DemoRepository): Promise<Scene> {
  const { twin } = service;
  const repository = await twin.repositories.add({ owner: "acme", name: demo.repository, files: filesOf(demo.name) });
  const branch = repository.defaultBranch;
  const sha = await twin.repositories.branches.resolve(repository, branch);
  return { repository, branch, sha: sha ?? "", pull: undefined };
}

/** Has the scene's check fail on GitHub Actions, which sends the signed deliveries. */
export async function turnCheckRed(service: Service, scene: Scene, demo: DemoRepository): Promise<void> {
  const steps = [{ uses: "actions/checkout@v4" }, { run: demo.command, output: "the tests failed", exitCode: 1 }];
  await service.twin.workflows.run(scene.repository, { branch: scene.branch, jobs: [{ name: "test", steps }] });
}

/** Follows Autolith's check run until it is completed; tells each new title. Gives the pull request it opened, if any. */
export async function followCheck(
  service: Service,
  scene: Scene,
  tell: (title: string) => void,
): Promise<PullIssue | undefined> {
  let last = "";
  await eventually(
    "an end of Autolith's check",
    () => {
      const check = ownChecks(service.twin, scene.repository, scene.sha)[0];
      const title = check?.output.title ?? "";
      if (title !== last) tell(title);
      last = title;
      return check?.status === "completed" ? check : undefined;
    },
    600_000,
  );
  return service.twin.pulls.of(scene.repository).find(({ pull }) => pull.head.ref.startsWith("autolith/"));
}

/** The files of a demo repository, path to content. */
export function filesOf(name: string): Record<string, string> {
  const root = join(folder, name);
  const paths = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) =>
    statSync(join(root, path)).isFile(),
  );
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(root, path), "utf8")]));
}

function repaired(files: Readonly<Record<string, string>>, demo: DemoRepository): Record<string, string> {
  const result = { ...files };
  for (const { path, old_text, new_text } of demo.plan.edits)
    result[path] = (result[path] ?? "").replace(old_text, new_text);
  return result;
}
