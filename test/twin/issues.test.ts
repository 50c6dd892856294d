import { expect, test } from "vitest";
import { at, clientFor } from "./client.ts";
import { startTwin } from "./twin.ts";

test("the app comments, edits, lists in pages and deletes", async () => {
  await using twin = await startTwin({ checkAnswers: true });
  const repository = await twin.repositories.add({ owner: "acme", name: "shop" });
  const ada = twin.accounts.addUser("ada");
  const issue = twin.issues.open(repository, { title: "It breaks", body: "See above.", author: ada });
  for (let index = 0; index < 34; index++) twin.issues.comment(issue, ada, `comment ${index}`);
  const octokit = await clientFor(twin, repository, { issues: "write" });
  const created = await octokit.rest.issues.createComment({
    ...at(repository),
    issue_number: issue.number,
    body: "On it.",
  });
  expect(created.data).toMatchObject({
    user: { login: "autolith[bot]", type: "Bot" },
    performed_via_github_app: { id: twin.app.id },
  });
  const bodies = await octokit.paginate(octokit.rest.issues.listComments, {
    ...at(repository),
    issue_number: issue.number,
    per_page: 10,
  });
  expect(bodies).toHaveLength(35);
  expect(bodies.at(-1)?.body).toBe("On it.");
  await octokit.rest.issues.updateComment({ ...at(repository), comment_id: created.data.id, body: "Done." });
  expect(issue.comments.at(-1)?.body).toBe("Done.");
  await octokit.rest.issues.deleteComment({ ...at(repository), comment_id: created.data.id });
  expect(issue.comments).toHaveLength(34);
  expect((await octokit.rest.issues.get({ ...at(repository), issue_number: issue.number })).data.comments).toBe(34);
  expect(twin.journal.problems()).toEqual([]);
});

test("comments that GitHub would not take are refused", async () => {
  await using twin = await startTwin({ checkAnswers: true });
  const repository = await twin.repositories.add({ owner: "acme", name: "shop" });
  const issue = twin.issues.open(repository, { title: "x", author: twin.accounts.addUser("ada") });
  const { issues } = (await clientFor(twin, repository)).rest;
  const say = (body: string) => issues.createComment({ ...at(repository), issue_number: issue.number, body });
  await expect(say("x".repeat(65_537))).rejects.toMatchObject({
    status: 422,
    message: /too long \(maximum is 65536 characters\)/,
  });
  await expect(say(" \n")).rejects.toMatchObject({ status: 422, message: /can't be blank/ });
  issue.locked = true;
  await expect(say("hello")).rejects.toMatchObject({ status: 403, message: /locked/ });
  const missing = issues.createComment({ ...at(repository), issue_number: 99, body: "x" });
  await expect(missing).rejects.toMatchObject({ status: 404 });
  expect(twin.journal.problems()).toEqual([]);
});

test("a comment on a pull request takes either permission, one on an issue its own", async () => {
  await using twin = await startTwin();
  const repository = await twin.repositories.add({ owner: "acme", name: "shop" });
  const ada = twin.accounts.addUser("ada");
  const issue = twin.issues.open(repository, { title: "x", author: ada });
  await twin.repositories.commit(repository, { branch: "topic", files: { a: "a" } });
  const pull = await twin.pulls.open(repository, { head: "topic", author: ada });
  const { issues } = (await clientFor(twin, repository, { pull_requests: "write" })).rest;
  await issues.createComment({ ...at(repository), issue_number: pull.number, body: "x" });
  const other = issues.createComment({ ...at(repository), issue_number: issue.number, body: "x" });
  await expect(other).rejects.toMatchObject({ status: 403 });
  expect(twin.journal.problems()).toEqual([]);
});

test("reactions are added once, listed and taken back", async () => {
  await using twin = await startTwin({ checkAnswers: true });
  const repository = await twin.repositories.add({ owner: "acme", name: "shop" });
  const ada = twin.accounts.addUser("ada");
  const issue = twin.issues.open(repository, { title: "x", author: ada });
  const comment = twin.issues.comment(issue, ada, "/autolith fix");
  const { reactions } = (await clientFor(twin, repository)).rest;
  const target = { ...at(repository), comment_id: comment.id };
  const first = await reactions.createForIssueComment({ ...target, content: "eyes" });
  const second = await reactions.createForIssueComment({ ...target, content: "eyes" });
  expect([first.status, second.status, second.data.id === first.data.id]).toEqual([201, 200, true]);
  expect((await reactions.listForIssueComment(target)).data).toHaveLength(1);
  await reactions.deleteForIssueComment({ ...target, reaction_id: first.data.id });
  expect(comment.reactions).toEqual([]);
  await reactions.createForIssue({ ...at(repository), issue_number: issue.number, content: "confused" });
  expect(issue.reactions).toHaveLength(1);
  expect(twin.journal.problems()).toEqual([]);
});

test("labels are made when they are first used, and issues are changed", async () => {
  await using twin = await startTwin({ checkAnswers: true });
  const repository = await twin.repositories.add({ owner: "acme", name: "shop" });
  const issue = twin.issues.open(repository, { title: "x", author: twin.accounts.addUser("ada") });
  const { issues } = (await clientFor(twin, repository)).rest;
  const target = { ...at(repository), issue_number: issue.number };
  await issues.addLabels({ ...target, labels: ["autolith", "bug"] });
  await issues.removeLabel({ ...target, name: "bug" });
  const { data } = await issues.update({ ...target, state: "closed", state_reason: "not_planned", title: "y" });
  expect(data).toMatchObject({
    title: "y",
    state: "closed",
    state_reason: "not_planned",
    labels: [{ name: "autolith" }],
  });
  expect((await issues.listForRepo({ ...at(repository), state: "all" })).data).toHaveLength(1);
  expect(twin.journal.problems()).toEqual([]);
});
