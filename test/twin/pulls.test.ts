import { expect, test } from "vitest";
import { at, clientFor } from "./client.ts";
import { startTwin, type Twin } from "./twin.ts";

async function shop(twin: Twin) {
  const repository = await twin.repositories.add({
    owner: "acme",
    name: "shop",
    files: { "a.txt": "1\n2\n3\n4\n5\n" },
  });
  const ada = twin.accounts.addUser("ada");
  const sha = await twin.repositories.commit(repository, {
    branch: "topic",
    files: { "a.txt": "1\n2\nthree\n4\n5\n" },
    author: ada,
  });
  return { repository, ada, sha };
}

test("the app opens a pull request that is stacked on another one", async () => {
  await using twin = await startTwin({ checkAnswers: true });
  const { repository, ada } = await shop(twin);
  const parent = await twin.pulls.open(repository, { head: "topic", author: ada });
  await twin.repositories.commit(repository, { branch: "autolith/fix-1", from: "topic", files: { "b.txt": "b\n" } });
  const octokit = await clientFor(twin, repository, { pull_requests: "write" });
  const create = () =>
    octokit.rest.pulls.create({ ...at(repository), title: "Fix", body: "B", head: "autolith/fix-1", base: "topic" });
  const { data } = await create();
  expect(data).toMatchObject({
    number: parent.number + 1,
    user: { login: "autolith[bot]" },
    base: { ref: "topic", sha: parent.pull.head.sha },
    mergeable: true,
    commits: 1,
    changed_files: 1,
  });
  await expect(create()).rejects.toMatchObject({
    status: 422,
    message: /A pull request already exists for acme:autolith\/fix-1\./,
  });
  const filtered = await octokit.rest.pulls.list({ ...at(repository), head: "acme:autolith/fix-1", base: "topic" });
  expect(filtered.data.map(({ number }) => number)).toEqual([data.number]);
  const { data: updated } = await octokit.rest.pulls.update({
    ...at(repository),
    pull_number: data.number,
    title: "Better",
    state: "closed",
  });
  expect([updated.title, updated.state, updated.merged]).toEqual(["Better", "closed", false]);
  expect(twin.journal.problems()).toEqual([]);
});

test("a pull request without commits, head or base, or with too much to say, is refused", async () => {
  await using twin = await startTwin({ checkAnswers: true });
  const { repository } = await shop(twin);
  const { pulls } = (await clientFor(twin, repository)).rest;
  const create = (head: string, base: string, body = "") =>
    pulls.create({ ...at(repository), title: "x", head, base, body });
  await expect(create("main", "topic")).rejects.toMatchObject({
    status: 422,
    message: /No commits between topic and main/,
  });
  await expect(create("none", "main")).rejects.toMatchObject({
    status: 422,
    response: { data: { errors: [{ field: "head", code: "invalid" }] } },
  });
  await expect(create("topic", "none")).rejects.toMatchObject({
    status: 422,
    response: { data: { errors: [{ field: "base" }] } },
  });
  await expect(create("topic", "main", "x".repeat(65_537))).rejects.toMatchObject({ status: 422, message: /too long/ });
  expect(twin.journal.problems()).toEqual([]);
});

test("files, commits and mergeability follow the head branch", async () => {
  await using twin = await startTwin({ checkAnswers: true });
  const { repository, ada, sha } = await shop(twin);
  const pull = await twin.pulls.open(repository, { head: "topic", author: ada });
  const { pulls, repos } = (await clientFor(twin, repository)).rest;
  const target = { ...at(repository), pull_number: pull.number };
  const { data: files } = await pulls.listFiles(target);
  expect(files).toMatchObject([
    { filename: "a.txt", additions: 1, deletions: 1, patch: expect.stringContaining("+three") },
  ]);
  expect((await pulls.listCommits(target)).data.map((commit) => commit.sha)).toEqual([sha]);
  const { data: found } = await repos.listPullRequestsAssociatedWithCommit({ ...at(repository), commit_sha: sha });
  expect(found.map(({ number }) => number)).toEqual([pull.number]);
  await twin.repositories.commit(repository, { branch: "main", files: { "a.txt": "1\n2\ndrei\n4\n5\n" } });
  expect((await pulls.get(target)).data).toMatchObject({ mergeable: false, mergeable_state: "dirty" });
  const next = await twin.repositories.commit(repository, { branch: "topic", files: { "a.txt": "1\n2\n3\n4\n5\n" } });
  expect((await pulls.get(target)).data.head.sha).toBe(next);
  expect(await twin.repositories.branches.resolve(repository, `pull/${pull.number}/head`)).toBe(next);
  await twin.repositories.branches.delete(repository, "topic");
  expect(pull.state).toBe("closed");
  expect(twin.journal.problems()).toEqual([]);
});

test("a merge moves the base, closes the pull request and says by whom", async () => {
  await using twin = await startTwin({ checkAnswers: true });
  const { repository, ada } = await shop(twin);
  const pull = await twin.pulls.open(repository, { head: "topic", author: ada });
  const sha = await twin.pulls.merge(pull, ada);
  expect(await twin.repositories.branches.resolve(repository, "main")).toBe(sha);
  const { data } = await (await clientFor(twin, repository)).rest.pulls.get({
    ...at(repository),
    pull_number: pull.number,
  });
  expect(data).toMatchObject({ merged: true, state: "closed", merge_commit_sha: sha, merged_by: { login: "ada" } });
  expect(twin.journal.problems()).toEqual([]);
});

test("a fork's pull request names the fork, and loses it when the fork is deleted", async () => {
  await using twin = await startTwin({ checkAnswers: true });
  const { repository } = await shop(twin);
  const fork = await twin.repositories.fork(repository, "guest");
  await twin.repositories.commit(fork, { branch: "idea", files: { "b.txt": "b\n" } });
  const pull = await twin.pulls.open(repository, { head: "idea", from: fork, author: twin.accounts.ensure("guest") });
  const { pulls } = (await clientFor(twin, repository)).rest;
  const target = { ...at(repository), pull_number: pull.number };
  expect((await pulls.get(target)).data.head).toMatchObject({
    label: "guest:idea",
    repo: { full_name: "guest/shop", fork: true },
  });
  expect(twin.journal.problems()).toEqual([]);
  twin.repositories.delete(fork);
  expect((await pulls.get(target)).data.head.repo).toBeNull();
});

test("a review comments on lines of the difference, all or nothing", async () => {
  await using twin = await startTwin({ checkAnswers: true });
  const { repository, ada } = await shop(twin);
  const pull = await twin.pulls.open(repository, { head: "topic", author: ada });
  const { pulls } = (await clientFor(twin, repository)).rest;
  const target = { ...at(repository), pull_number: pull.number };
  const comment = { path: "a.txt", line: 3, side: "RIGHT", body: "```suggestion\n3\n```" };
  const outside = pulls.createReview({
    ...target,
    event: "COMMENT",
    body: "b",
    comments: [comment, { ...comment, line: 99 }],
  });
  await expect(outside).rejects.toMatchObject({ status: 422, message: /line must be part of the diff/ });
  expect(pull.pull.reviewComments).toHaveLength(0);
  const { data } = await pulls.createReview({ ...target, event: "REQUEST_CHANGES", body: "b", comments: [comment] });
  expect(data.state).toBe("CHANGES_REQUESTED");
  expect((await pulls.listReviews(target)).data).toHaveLength(1);
  expect((await pulls.listReviewComments(target)).data).toMatchObject([
    { path: "a.txt", line: 3, diff_hunk: expect.stringMatching(/^@@/) },
  ]);
  const whole = { path: "a.txt", body: "All of it.", commit_id: pull.pull.head.sha, subject_type: "file" } as const;
  expect((await pulls.createReviewComment({ ...target, ...whole })).status).toBe(201);
  expect(twin.journal.problems()).toEqual([]);
});

test("nobody approves an own pull request", async () => {
  await using twin = await startTwin({ checkAnswers: true });
  const { repository } = await shop(twin);
  const { pulls } = (await clientFor(twin, repository)).rest;
  const { data } = await pulls.create({ ...at(repository), title: "x", head: "topic", base: "main" });
  const review = (event: "APPROVE" | "REQUEST_CHANGES" | "COMMENT") =>
    pulls.createReview({ ...at(repository), pull_number: data.number, event, body: "x" });
  await expect(review("APPROVE")).rejects.toMatchObject({
    status: 422,
    message: /Can not approve your own pull request/,
  });
  await expect(review("REQUEST_CHANGES")).rejects.toMatchObject({
    status: 422,
    message: /Can not request changes on your own/,
  });
  expect((await review("COMMENT")).data.state).toBe("COMMENTED");
  expect(twin.journal.problems()).toEqual([]);
});
