import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { appClient, at, clientFor } from "./client.ts";
import { startTwin } from "./twin.ts";

test("contents are read at the default branch, at any ref, raw, and as folders", async () => {
  await using twin = await startTwin({ checkAnswers: true });
  const repository = await twin.repositories.add({
    owner: "acme",
    name: "shop",
    files: { ".github/autolith.yml": "test: npm test\n", "src/über.txt": "1\n" },
  });
  await twin.repositories.commit(repository, { branch: "topic/x", files: { "src/über.txt": "2\n" } });
  const { repos } = (await clientFor(twin, repository, { contents: "read" })).rest;
  const config = await repos.getContent({
    ...at(repository),
    path: ".github/autolith.yml",
    mediaType: { format: "raw" },
  });
  expect(config.data).toBe("test: npm test\n");
  const file = await repos.getContent({ ...at(repository), path: "src/über.txt", ref: "topic/x" });
  if (!("content" in file.data)) throw new Error("no file");
  expect(Buffer.from(file.data.content, "base64").toString()).toBe("2\n");
  const folder = await repos.getContent({ ...at(repository), path: "src" });
  expect(folder.data).toMatchObject([{ name: "über.txt", type: "file" }]);
  expect((await repos.getContent({ ...at(repository), path: "" })).data).toMatchObject([
    { name: ".github" },
    { name: "src" },
  ]);
  await expect(repos.getContent({ ...at(repository), path: "none" })).rejects.toMatchObject({ status: 404 });
  expect(twin.journal.problems()).toEqual([]);
});

test("a folder on disk becomes a repository", async () => {
  await using twin = await startTwin();
  const folder = await mkdtemp(join(tmpdir(), "twin-folder-"));
  await writeFile(join(folder, "a.txt"), "a\n");
  await writeFile(join(folder, "run.sh"), "#!/bin/sh\n", { mode: 0o755 });
  const repository = await twin.repositories.add({ owner: "acme", name: "shop", files: folder });
  await rm(folder, { recursive: true });
  const tree = await (await clientFor(twin, repository)).rest.git.getTree({
    ...at(repository),
    tree_sha: "main",
    recursive: "1",
  });
  expect(tree.data.tree.map(({ path, mode }) => [path, mode])).toEqual([
    ["a.txt", "100644"],
    ["run.sh", "100755"],
  ]);
});

test("the permission of a collaborator is told by role, by user, and fails closed for strangers", async () => {
  await using twin = await startTwin({ checkAnswers: true });
  const repository = await twin.repositories.add({
    owner: "acme",
    name: "shop",
    private: false,
    collaborators: { ada: "maintain", tim: "triage", root: "admin" },
  });
  twin.accounts.addUser("eve");
  const { rest } = await clientFor(twin, repository, {});
  const permission = async (username: string) => {
    const { data } = await rest.repos.getCollaboratorPermissionLevel({ ...at(repository), username });
    return `${data.permission} ${data.role_name} ${data.user?.id === twin.accounts.byLogin(username)?.id}`;
  };
  expect(await permission("ada")).toBe("write maintain true");
  expect(await permission("tim")).toBe("read triage true");
  expect(await permission("root")).toBe("admin admin true");
  expect(await permission("eve")).toBe("read read true");
  await expect(permission("nobody")).rejects.toMatchObject({ status: 404 });
  const { data: user } = await rest.users.getById({ account_id: twin.accounts.byLogin("ada")?.id ?? 0 });
  expect(user.login).toBe("ada");
  const { data: bot } = await rest.users.getByUsername({ username: "autolith[bot]" });
  expect(bot).toMatchObject({ type: "Bot", id: twin.app.bot.id });
  const ada = twin.accounts.ensure("ada");
  twin.accounts.rename(ada, "ada2");
  expect(twin.accounts.addUser("ada").id).not.toBe(ada.id);
  expect([await permission("ada2"), await permission("ada")]).toEqual(["write maintain true", "read read true"]);
  expect(twin.journal.problems()).toEqual([]);
});

test("branches, commits, comparisons and activity follow the pushes", async () => {
  await using twin = await startTwin({ checkAnswers: true });
  const repository = await twin.repositories.add({
    owner: "acme",
    name: "shop",
    files: { "a.txt": "1\n2\n3\n", "b.txt": "b\n" },
  });
  const ada = twin.accounts.addUser("ada", { name: "Ada" });
  const first = await twin.repositories.branches.resolve(repository, "main");
  const files = { "a.txt": "1\ntwo\n3\n", "b.txt": null, "c.txt": "c\n" };
  const second = await twin.repositories.commit(repository, {
    branch: "topic",
    files,
    author: ada,
    message: "Say two\n\nIt reads better.",
  });
  await twin.repositories.branches.force(repository, "topic", String(first), ada);
  const { repos } = (await clientFor(twin, repository)).rest;
  const { data: branches } = await repos.listBranches(at(repository));
  expect(branches.map(({ name, commit }) => [name, commit.sha])).toEqual([
    ["main", first],
    ["topic", first],
  ]);
  const { data: commit } = await repos.getCommit({ ...at(repository), ref: second });
  expect(commit.files?.map(({ filename, status }) => `${filename} ${status}`)).toEqual([
    "a.txt modified",
    "b.txt removed",
    "c.txt added",
  ]);
  expect(commit.files?.[0]?.patch).toBe("@@ -1,3 +1,3 @@\n 1\n-2\n+two\n 3");
  expect(commit.author?.login).toBe("ada");
  expect(commit.commit.verification?.verified).toBe(false);
  const { data: comparison } = await repos.compareCommitsWithBasehead({
    ...at(repository),
    basehead: `main...${second}`,
  });
  expect([comparison.status, comparison.ahead_by, comparison.behind_by]).toEqual(["ahead", 1, 0]);
  const { data: activity } = await repos.listActivities({ ...at(repository), ref: "topic" });
  expect(activity.map(({ activity_type }) => activity_type)).toEqual(["force_push", "branch_creation"]);
  expect(activity[0]).toMatchObject({ before: second, after: first, actor: { login: "ada" } });
  await expect(repos.getBranch({ ...at(repository), branch: "none" })).rejects.toMatchObject({ status: 404 });
  expect(twin.journal.problems()).toEqual([]);
});

test("refs are created once, moved forward only, and deleted", async () => {
  await using twin = await startTwin({ checkAnswers: true });
  const repository = await twin.repositories.add({ owner: "acme", name: "shop" });
  const first = String(await twin.repositories.branches.resolve(repository, "main"));
  const second = await twin.repositories.commit(repository, { branch: "main", files: { "a.txt": "a\n" } });
  const { git } = (await clientFor(twin, repository)).rest;
  const created = await git.createRef({ ...at(repository), ref: "refs/heads/autolith/x", sha: second });
  expect(created.data).toMatchObject({ ref: "refs/heads/autolith/x", object: { sha: second } });
  const again = git.createRef({ ...at(repository), ref: "refs/heads/autolith/x", sha: first });
  await expect(again).rejects.toMatchObject({ status: 422, message: /Reference already exists/ });
  const back = git.updateRef({ ...at(repository), ref: "heads/autolith/x", sha: first });
  await expect(back).rejects.toMatchObject({ status: 422, message: /not a fast forward/ });
  const unknown = git.createRef({ ...at(repository), ref: "refs/heads/y", sha: "1".repeat(40) });
  await expect(unknown).rejects.toMatchObject({ status: 422, message: /Object does not exist/ });
  const { data: matching } = await git.listMatchingRefs({ ...at(repository), ref: "heads/autolith/" });
  expect(matching).toHaveLength(1);
  await git.deleteRef({ ...at(repository), ref: "heads/autolith/x" });
  await expect(git.getRef({ ...at(repository), ref: "heads/autolith/x" })).rejects.toMatchObject({ status: 404 });
  expect(twin.journal.problems()).toEqual([]);
});

test("a renamed repository redirects, and is found by its id", async () => {
  await using twin = await startTwin({ checkAnswers: true });
  const repository = await twin.repositories.add({ owner: "acme", name: "shop" });
  const octokit = await clientFor(twin, repository);
  const issue = twin.issues.open(repository, { title: "x", author: twin.accounts.addUser("ada") });
  twin.repositories.rename(repository, "store");
  expect((await octokit.rest.repos.get({ owner: "acme", repo: "shop" })).data.full_name).toBe("acme/store");
  const byId = await octokit.request("GET /repositories/{id}", { id: repository.id });
  expect(byId.data.full_name).toBe("acme/store");
  // fetch turns the redirected POST into a GET: nothing is created, and the answer is the list.
  const posted = await octokit.rest.issues.createComment({
    owner: "acme",
    repo: "shop",
    issue_number: issue.number,
    body: "x",
  });
  expect(posted.status).toBe(200);
  expect(issue.comments).toHaveLength(0);
  expect(twin.journal.problems()).toEqual([]);
});

test("the app finds its installation by repository, and an archived repository takes no writes", async () => {
  await using twin = await startTwin({ checkAnswers: true });
  const repository = await twin.repositories.add({ owner: "acme", name: "shop" });
  const foreign = await twin.repositories.add({ owner: "other", name: "lib", installed: false });
  const app = appClient(twin);
  const { data } = await app.rest.apps.getRepoInstallation(at(repository));
  expect(data.id).toBe(twin.installations.covering(repository)?.id);
  await expect(app.rest.apps.getRepoInstallation(at(foreign))).rejects.toMatchObject({ status: 404 });
  expect((await app.rest.apps.listInstallations()).data).toHaveLength(1);
  repository.archived = true;
  const octokit = await clientFor(twin, repository);
  const check = octokit.rest.checks.create({ ...at(repository), name: "x", head_sha: "main" });
  await expect(check).rejects.toMatchObject({ status: 403, message: /archived/ });
  expect(twin.journal.problems()).toEqual([]);
});
