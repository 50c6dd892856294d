import { expect, test } from "vitest";
import { openCheckRun } from "../../src/github/check-run.ts";
import type { GitHub } from "../../src/github/octokit.ts";
import { once } from "../../src/github/octokit.ts";
import { writeStickyComment } from "../../src/github/sticky-comment.ts";
import { type GitHubScene, githubScene, never } from "./github-scene.ts";

const text = { title: "Looking", summary: "" };

function comment(github: GitHub, { repository }: GitHubScene, issue: number) {
  const { owner, name: repo } = repository;
  return github.rest.issues.createComment({ owner, repo, issue_number: issue, body: "x", request: { ...once } });
}

test("what is created in a repository that was renamed meanwhile is created there, once", async () => {
  await using scene = await githubScene();
  const { twin, there, repository } = scene;
  const issue = twin.issues.open(there, { title: "x", author: twin.accounts.addUser("ada") });
  const github = await scene.client("talk");
  twin.repositories.rename(there, "letters");
  const sticky = { issue: issue.number, appId: twin.app.id, text: "hello" };
  const id = await writeStickyComment(github, repository, sticky, never);
  expect(issue.comments.map((each) => [each.id, each.body.includes("hello")])).toEqual([[id, true]]);
  const headSha = await there.git.text(["rev-parse", "main"]);
  const check = await openCheckRun(github, repository, { headSha: headSha.trim(), externalId: "j", text }, never);
  expect([...there.checkRuns.values()].map((each) => each.id)).toEqual([check]);
  expect(twin.journal.problems()).toEqual([]);
});

test.each([301, 302, 307, 308])("a create that is answered by %i is sent again with its body", async (status) => {
  await using scene = await githubScene();
  const { twin, there } = scene;
  const issue = twin.issues.open(there, { title: "x", author: twin.accounts.addUser("ada") });
  const github = await scene.client("talk");
  const location = `${twin.apiUrl}/repositories/${there.id}/issues/${issue.number}/comments`;
  twin.fault({ method: "POST", path: /\/comments$/, status, headers: { location } });
  expect((await comment(github, scene, issue.number)).status).toBe(201);
  expect(issue.comments.map(({ body }) => body)).toEqual(["x"]);
});

test.each([
  [302, "http://elsewhere.invalid/comments", /redirects POST .* with 302 to http:\/\/elsewhere\.invalid/],
  [303, "", /with 303/],
])("a create that is answered by %i to %j is not sent there, and says so", async (status, location, reason) => {
  await using scene = await githubScene();
  const { twin, there } = scene;
  const issue = twin.issues.open(there, { title: "x", author: twin.accounts.addUser("ada") });
  const github = await scene.client("talk");
  twin.fault({ method: "POST", path: /\/comments$/, status, headers: { location } });
  await expect(comment(github, scene, issue.number)).rejects.toThrow(reason);
  expect(issue.comments).toEqual([]);
});

test("redirects that never end are not followed for ever", async () => {
  await using scene = await githubScene();
  const { twin } = scene;
  const github = await scene.client("talk");
  twin.fault({ method: "POST", path: /\/comments$/, status: 307, headers: { location: "comments" }, count: 100 });
  await expect(comment(github, scene, 1)).rejects.toThrow(/redirects POST .* again and again/);
  expect(twin.journal.of("POST /repos/{owner}/{repo}/issues/{issue_number}/comments").length).toBeLessThan(6);
});
