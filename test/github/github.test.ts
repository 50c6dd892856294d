import { expect, test } from "vitest";
import { closeCheckRun, openCheckRun } from "../../src/github/check-run.ts";
import { lastPush } from "../../src/github/last-push.ts";
import { mayWrite } from "../../src/github/permission.ts";
import { replyOnce } from "../../src/github/reply.ts";
import { writeStickyComment } from "../../src/github/sticky-comment.ts";
import { githubScene, never } from "./github-scene.ts";

test.each([
  ["admin", true],
  ["maintain", true],
  ["write", true],
  ["triage", false],
  ["read", false],
] as const)("a user with the role %s may write: %s", async (role, expected) => {
  await using scene = await githubScene();
  const user = scene.twin.accounts.addUser("ada");
  scene.twin.repositories.permit(scene.there, user, role);
  expect(await mayWrite(await scene.client("talk"), scene.repository, user, never)).toBe(expected);
});

test("whoever took over the login of a writer may not write", async () => {
  await using scene = await githubScene();
  const { twin, there, repository } = scene;
  const ada = twin.accounts.addUser("ada");
  twin.repositories.permit(there, ada, "write");
  const comment = { id: ada.id + 1, login: "ada" };
  expect(await mayWrite(await scene.client("talk"), repository, comment, never)).toBe(false);
});

test.each([404, 403, 500])("a question for a permission that is answered %d counts as no", async (status) => {
  await using scene = await githubScene();
  const ada = scene.twin.accounts.addUser("ada");
  scene.twin.repositories.permit(scene.there, ada, "write");
  const github = await scene.client("talk");
  scene.twin.fault({ path: /\/permission$/, status, count: 9 });
  expect(await mayWrite(github, scene.repository, ada, never)).toBe(false);
});

test("there is one comment of ours, whoever pastes its marker", async () => {
  await using scene = await githubScene();
  const { twin, there, repository } = scene;
  const issue = twin.issues.open(there, { title: "x", author: twin.accounts.addUser("eve") });
  twin.issues.comment(issue, issue.author, "<!-- autolith:status -->\nI am Autolith");
  const github = await scene.client("talk");
  const write = (text: string) =>
    writeStickyComment(github, repository, { issue: issue.number, appId: twin.app.id, text }, never);
  expect(await write("one")).toBe(await write("two"));
  expect(issue.comments.map(({ body }) => body)).toEqual([
    "<!-- autolith:status -->\nI am Autolith",
    "<!-- autolith:status -->\ntwo",
  ]);
});

test("a comment that is answered again has one answer", async () => {
  await using scene = await githubScene();
  const { twin, there, repository } = scene;
  const issue = twin.issues.open(there, { title: "x", author: twin.accounts.addUser("ada") });
  const { id: commentId, createdAt } = twin.issues.comment(issue, issue.author, "/autolith help");
  const github = await scene.client("talk");
  const reply = { issue: issue.number, appId: twin.app.id, commentId, createdAt, text: "help" };
  await replyOnce(github, repository, reply, never);
  await replyOnce(github, repository, reply, never);
  expect(issue.comments).toHaveLength(2);
});

test("a job that starts again goes on with its check run, and long texts are cut at characters", async () => {
  await using scene = await githubScene();
  const { twin, there, repository } = scene;
  const headSha = await twin.repositories.commit(there, { branch: "main", files: { "b.txt": "b\n" } });
  const github = await scene.client("talk");
  const check = { headSha, externalId: "job-1", text: { title: "one", summary: "one" } };
  const id = await openCheckRun(github, repository, check, never);
  expect(await openCheckRun(github, repository, check, never)).toBe(id);
  expect(await openCheckRun(github, repository, { ...check, externalId: "job-2" }, never)).not.toBe(id);
  const text = { title: "t".repeat(300), summary: "😀".repeat(65_000) };
  await closeCheckRun(github, repository, id, { conclusion: "neutral", text }, never);
  const { output, conclusion } = there.checkRuns.get(id) ?? {};
  expect(conclusion).toBe("neutral");
  expect(Buffer.byteLength(output?.summary ?? "")).toBeLessThanOrEqual(65_535);
  expect(output?.summary).toMatch(/^(😀)+\n…$/u);
  expect(twin.journal.problems()).toEqual([]);
});

test("the last push is GitHub's own record, whatever dates a commit claims", async () => {
  await using scene = await githubScene();
  scene.twin.clock.advance(60_000);
  await scene.twin.repositories.commit(scene.there, { branch: "topic", files: { "b.txt": "b\n" } });
  const at = await lastPush(await scene.client("evidence"), scene.repository, "topic", never);
  expect(at?.getTime()).toBeGreaterThan(Date.now() + 50_000);
});

test("a token can do no more than its stage needs", async () => {
  await using scene = await githubScene();
  const checkout = await scene.client("checkout");
  const { owner, name: repo } = scene.repository;
  await expect(checkout.rest.issues.listForRepo({ owner, repo })).rejects.toMatchObject({ status: 403 });
  const talk = await scene.client("talk");
  await expect(talk.rest.git.getRef({ owner, repo, ref: "heads/main" })).rejects.toMatchObject({ status: 403 });
});
