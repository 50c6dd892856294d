import { setTimeout as delay } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { issueWorker } from "../model-server/policies/issue-worker.ts";
import { readCommit } from "../twin/git/commits.ts";
import { readRef } from "../twin/git/refs.ts";
import { fixer, nobody, proposals, pushed } from "./expectations.ts";
import { issueScene, ownComments } from "./issue-scene.ts";
import { pythonProject } from "./projects.ts";
import { concluded, eventually, ownChecks, redRepository, turnRed } from "./red-repository.ts";
import { pythonBug } from "./reported-bugs.ts";
import { type Service, startService } from "./run-serve.ts";
import { modelKey } from "./serve-process.ts";

let service: Service;

beforeAll(async () => {
  service = await startService();
});

afterEach(async () => {
  await service.twin.webhooks.settled();
  expect(service.twin.journal.problems()).toEqual([]);
});

afterAll(async () => {
  expect(await service.stop()).toBe(0);
  await service[Symbol.asyncDispose]();
});

test("a red check on a pull request gets a stacked pull request whose tree is the proven one", async () => {
  service.think(fixer);
  const red = await redRepository(service.twin);
  await turnRed(service.twin, red.repository, "topic");
  const check = await concluded(service.twin, red);
  expect(check).toMatchObject({ conclusion: "success", output: { title: "Repair proposed" } });
  const [proposal, ...more] = proposals(service.twin, red.repository);
  expect(more).toEqual([]);
  expect(proposal?.pull.base.ref).toBe("topic");
  const { git } = red.repository;
  const head = (await readRef(git, `refs/heads/${proposal?.pull.head.ref}`)) ?? "";
  const commit = await readCommit(git, head);
  const proven = /"type":"verified","accepted":true[^\n]*"tree":"([0-9a-f]{40})"/.exec(service.traces())?.[1];
  expect(commit).toMatchObject({ tree: proven, parents: [red.sha] });
  expect(red.repository.verifiedCommits.has(head)).toBe(true);
  expect(await git.text(["show", `${head}:words/count.py`])).toContain("return text.split()");
  expect(red.pull.comments.map(({ body }) => body)).toEqual([expect.stringContaining(`#${proposal?.number}`)]);
  expect(red.pull.comments[0]?.body).toContain("switch it off");
});

test("a red check on the default branch gets a pull request into it, and no comment", async () => {
  service.think(fixer);
  const { repository } = await redRepository(service.twin, { base: pythonProject.files });
  const sha = (await readRef(repository.git, "refs/heads/main")) ?? "";
  await turnRed(service.twin, repository, "main");
  const check = await concluded(service.twin, { repository, sha });
  expect(check.conclusion).toBe("success");
  expect(proposals(service.twin, repository).map(({ pull }) => pull.base.ref)).toEqual(["main"]);
  expect([...repository.issues.values()].flatMap(({ comments }) => comments)).toEqual([]);
});

test("a writer's command starts a repair, and is acknowledged", async () => {
  service.think(fixer);
  const red = await redRepository(service.twin);
  service.twin.clock.advance(2_000);
  const comment = service.twin.issues.comment(red.pull, red.ada, "/autolith fix the words are split wrongly");
  const check = await concluded(service.twin, red);
  expect(check.conclusion).toBe("success");
  expect(comment.reactions.map(({ content }) => content)).toEqual(["eyes"]);
  expect(proposals(service.twin, red.repository)).toHaveLength(1);
  expect(JSON.stringify(service.model.requests.at(-1)?.body)).toContain("the words are split wrongly");
});

test("a reader's command gets a reaction and no run", async () => {
  service.think(nobody);
  const red = await redRepository(service.twin);
  const eve = service.twin.accounts.addUser("eve");
  service.twin.repositories.permit(red.repository, eve, "read");
  service.twin.clock.advance(2_000);
  const comment = service.twin.issues.comment(red.pull, eve, "/autolith fix");
  await eventually("a reaction", () => comment.reactions[0]);
  await delay(1_500);
  expect(comment.reactions.map(({ content }) => content)).toEqual(["confused"]);
  expect(ownChecks(service.twin, red.repository, red.sha)).toEqual([]);
  expect(red.pull.comments).toHaveLength(1);
});

test("the same delivery twice, another failing check and a command make one job", async () => {
  service.think(fixer);
  const red = await redRepository(service.twin);
  service.twin.clock.advance(2_000);
  await turnRed(service.twin, red.repository, "topic");
  const failed = await eventually("a delivery", () =>
    service.twin.webhooks.deliveries.find(({ payload }) => payloadSha(payload) === red.sha),
  );
  await service.twin.webhooks.redeliver(failed);
  const comment = service.twin.issues.comment(red.pull, red.ada, "/autolith fix");
  await eventually("a reaction", () => comment.reactions[0]);
  await concluded(service.twin, red);
  await delay(2_000);
  expect(ownChecks(service.twin, red.repository, red.sha)).toHaveLength(1);
  expect(proposals(service.twin, red.repository)).toHaveLength(1);
});

function payloadSha(payload: Readonly<Record<string, unknown>>): unknown {
  return (payload["check_run"] as { head_sha?: string } | undefined)?.head_sha;
}

test("the patch for a pull request from a fork is offered in a comment, and nothing is pushed", async () => {
  service.think(fixer);
  const red = await redRepository(service.twin, { fork: "mallory" });
  const from = red.pull.pull.head.repository;
  if (from === null) throw new Error("the fork is gone");
  await turnRed(service.twin, red.repository, "topic", { from });
  const check = await concluded(service.twin, red);
  expect(check).toMatchObject({ conclusion: "success", output: { title: "Repair suggested" } });
  expect(red.pull.comments.map(({ body }) => body)).toEqual([
    expect.stringContaining("```diff\ndiff --git a/words/count.py"),
  ]);
  expect(await pushed(red.repository)).toEqual([]);
  expect(await pushed(from)).toEqual([]);
});

test("what an issue reports is shown by a test, repaired, and proposed into the default branch", async () => {
  service.think(issueWorker(pythonBug.plan));
  const scene = await issueScene(service.twin, pythonBug);
  const comment = scene.ask("/autolith fix");
  const answer = await scene.said(/Repair proposed/);
  const [proposal, ...more] = proposals(service.twin, scene.repository);
  expect(more).toEqual([]);
  expect(proposal?.pull.base.ref).toBe("main");
  expect(proposal?.body).toMatch(new RegExp(`^<!--.*-->\n\nFixes #${scene.issue.number}\n`));
  expect(proposal?.body).toContain("def test_several_spaces_make_no_word");
  const { git } = scene.repository;
  const head = (await readRef(git, `refs/heads/${proposal?.pull.head.ref}`)) ?? "";
  const { tree, parents } = await readCommit(git, head);
  expect(parents).toEqual([scene.sha]);
  expect(service.traces()).toMatch(new RegExp(`"type":"verified","accepted":true[^\n]*"tree":"${tree}"`));
  const changed = await git.text(["diff", "--name-only", scene.sha, head]);
  expect(changed.trim().split("\n")).toEqual(["tests/test_empty_words.py", "words/count.py"]);
  expect(answer).toContain(`#${proposal?.number}`);
  expect(ownComments(scene.issue)).toHaveLength(1);
  expect(comment.reactions.map(({ content }) => content)).toEqual(["eyes"]);
  expect(ownChecks(service.twin, scene.repository, scene.sha)).toEqual([]);
});

test("no secret is in traces, logs, comments, checks and pull requests", async () => {
  const { twin } = service;
  const repositories = twin.repositories.all();
  const issues = repositories.flatMap(({ issues }) => [...issues.values()]);
  const said = [
    service.log(),
    service.traces(),
    ...issues.flatMap(({ title, body, comments }) => [title, body ?? "", ...comments.map((comment) => comment.body)]),
    ...repositories.flatMap(({ checkRuns }) => [...checkRuns.values()].map(({ output }) => JSON.stringify(output))),
  ].join("\n");
  expect(said).not.toContain(modelKey);
  expect(said).not.toContain(twin.app.webhookSecret);
  expect(said).not.toContain("PRIVATE KEY");
  expect(said).not.toMatch(/gh[a-z]_[A-Za-z0-9]{10}/);
});
