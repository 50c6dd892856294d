import { expect, test } from "vitest";
import { applyPatch } from "../../src/checkout/apply-patch.ts";
import { fetchCommit } from "../../src/checkout/fetch-commit.ts";
import { openObjectStore } from "../../src/checkout/object-store.ts";
import type { Patch } from "../../src/checkout/patch.ts";
import { commitPatch } from "../../src/pull-request/commit.ts";
import { openFixBranch, withdrawFixBranch } from "../../src/pull-request/fix-branch.ts";
import { openPullRequest } from "../../src/pull-request/open.ts";
import { type GitHubScene, githubScene, never } from "../github/github-scene.ts";
import { readCommit } from "../twin/git/commits.ts";
import { secondaryRateLimit } from "../twin/http/faults.ts";

const files = { "src/a.py": "a = 1\n", "src/b.py": "b = 1\n", "run.sh": "#!/bin/sh\n" };

async function startOf({ twin, there }: GitHubScene): Promise<string> {
  return (await twin.repositories.branches.resolve(there, "refs/heads/main")) ?? "";
}

/** Commits a patch to a branch of its own, as publishing does. */
async function commit(scene: GitHubScene, patch: Patch, beforeCommit?: (branch: string) => Promise<unknown>) {
  const { repository } = scene;
  const parent = await startOf(scene);
  await using store = await openObjectStore(never);
  const token = await scene.checkoutToken();
  const checkout = await fetchCommit({ url: repository.cloneUrl, sha: parent, token }, store, never);
  const tree = await applyPatch(store, checkout.tree, patch, never);
  const github = await scene.client("publish");
  const branch = await openFixBranch(github, repository, { subject: "pr-7", startCommit: parent, tree }, never);
  await beforeCommit?.(branch.name);
  const message = { headline: "Repair", body: "" };
  const input = { branch: branch.name, parent, checkout, patch, tree, ...message };
  return { branch, tree, parent, made: await commitPatch(github, repository, input, never) };
}

const edit: Patch = [{ kind: "write", path: "src/a.py", executable: false, bytes: Buffer.from("a = 2\r\n\u00e9") }];

test.each<[string, Patch]>([
  ["a changed file, byte for byte", edit],
  [
    "a deleted and a new file",
    [
      { kind: "delete", path: "src/b.py" },
      { kind: "write", path: "src/c.py", executable: false, bytes: new Uint8Array([0, 255, 10]) },
    ],
  ],
  [
    "an executable file",
    [{ kind: "write", path: "run.sh", executable: true, bytes: Buffer.from("#!/bin/sh\nexit 0\n") }],
  ],
])("%s becomes the proven tree, in a signed commit", async (_, patch) => {
  await using scene = await githubScene(files);
  const { made, tree, parent } = await commit(scene, patch);
  if (made.kind !== "committed") throw new Error(made.kind);
  expect(await readCommit(scene.there.git, made.sha)).toMatchObject({ tree, parents: [parent] });
  expect(scene.there.verifiedCommits.has(made.sha)).toBe(true);
  expect(scene.twin.journal.problems()).toEqual([]);
});

test("a branch that somebody moved is left alone", async () => {
  await using scene = await githubScene(files);
  const { made } = await commit(scene, edit, (branch) =>
    scene.twin.repositories.commit(scene.there, { branch, files: { "src/a.py": "theirs\n" } }),
  );
  expect(made).toEqual({ kind: "moved" });
});

test("the branch of a crashed attempt is found, and one with other content is not touched", async () => {
  await using scene = await githubScene(files);
  const first = await commit(scene, edit);
  const github = await scene.client("publish");
  const want = { subject: "pr-7", startCommit: first.parent, tree: first.tree };
  const again = await openFixBranch(github, scene.repository, want, never);
  expect(again).toMatchObject({ kind: "committed", name: first.branch.name });
  const other = await openFixBranch(github, scene.repository, { ...want, tree: "0".repeat(40) }, never);
  expect(other).toEqual({ kind: "ready", name: `${first.branch.name}-2` });
});

test("the branch of a crashed attempt can be taken back, but not one from which a pull request was opened", async () => {
  await using scene = await githubScene(files);
  const { branch, parent, tree } = await commit(scene, edit);
  const github = await scene.client("publish");
  const want = { subject: "pr-7", startCommit: parent, tree };
  const branches = () => scene.there.git.text(["for-each-ref", "--format=%(refname)", "refs/heads/autolith/"]);
  const input = { head: branch.name, base: "main", title: "Repair", body: "one" };
  const { number } = await openPullRequest(github, scene.repository, input, never);
  expect(await withdrawFixBranch(github, scene.repository, want, never)).toBe(number);
  expect(await withdrawFixBranch(github, scene.repository, { ...want, tree: "0".repeat(40) }, never)).toBeNull();
  expect(await branches()).toBe(`refs/heads/${branch.name}`);
  const other = { ...want, subject: "pr-8" };
  await openFixBranch(github, scene.repository, other, never);
  expect(await withdrawFixBranch(github, scene.repository, other, never)).toBeNull();
  expect(await branches()).toBe(`refs/heads/${branch.name}`);
});

test.each([
  ["a bad gateway after it was made", { status: 502, after: true }],
  ["a connection that was cut after it was made", { drop: true, after: true }],
])("%s: there is one pull request", async (_, fault) => {
  await using scene = await githubScene(files);
  const { branch } = await commit(scene, edit);
  const github = await scene.client("publish");
  scene.twin.fault({ method: "POST", path: /\/pulls$/, ...fault });
  const input = { head: branch.name, base: "main", title: "Repair", body: "one" };
  const made = await openPullRequest(github, scene.repository, input, never);
  const updated = await openPullRequest(github, scene.repository, { ...input, body: "two" }, never);
  expect(updated).toEqual(made);
  expect(scene.twin.pulls.of(scene.there)).toMatchObject([{ number: made.number, body: "two" }]);
});

test("a refused pull request is not asked for twice", async () => {
  await using scene = await githubScene(files);
  const { branch } = await commit(scene, edit);
  const github = await scene.client("publish");
  scene.twin.fault({ method: "POST", path: /\/pulls$/, ...secondaryRateLimit(900) });
  const input = { head: branch.name, base: "main", title: "Repair", body: "one" };
  await expect(openPullRequest(github, scene.repository, input, never)).rejects.toMatchObject({ status: 403 });
  expect(scene.twin.journal.of("POST /repos/{owner}/{repo}/pulls")).toHaveLength(1);
});
