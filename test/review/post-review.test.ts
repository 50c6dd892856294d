import { expect, test } from "vitest";
import { postReview, retireReviews } from "../../src/review/post-review.ts";
import { githubScene, never } from "../github/github-scene.ts";

async function scene() {
  const github = await githubScene({ "a.txt": "1\n2\n3\n4\n5\n6\n7\n8\n9\n" });
  const { twin, there } = github;
  const author = twin.accounts.addBot("renovate[bot]", 29_139_614);
  const files = { "a.txt": "1\n2\n3\n4\n5\n6\n7\n8\nnine\n" };
  const headSha = await twin.repositories.commit(there, { branch: "topic", files, author });
  const pull = await twin.pulls.open(there, { head: "topic", author });
  const talk = await github.client("talk");
  return { github, twin, there, author, talk, headSha, pull, repository: github.repository };
}

const comment = { path: "a.txt", line: 9, body: "It is not a number." };

test("a head gets one review, however often it is posted", async () => {
  const { github, talk, headSha, pull, repository } = await scene();
  await using _ = github;
  const review = {
    pullRequest: pull.number,
    headSha,
    event: "REQUEST_CHANGES",
    body: "No.",
    comments: [comment],
  } as const;
  await postReview(talk, repository, review, never);
  await postReview(talk, repository, review, never);
  expect(pull.pull.reviews).toMatchObject([{ state: "CHANGES_REQUESTED", commitId: headSha }]);
  expect(pull.pull.reviewComments).toMatchObject([{ path: "a.txt", line: 9, side: "RIGHT" }]);
});

test("comments that GitHub does not take are said in the body", async () => {
  const { github, talk, headSha, pull, repository } = await scene();
  await using _ = github;
  const comments = [{ ...comment, line: 2 }];
  await postReview(
    talk,
    repository,
    { pullRequest: pull.number, headSha, event: "COMMENT", body: "No.", comments },
    never,
  );
  expect(pull.pull.reviewComments).toEqual([]);
  expect(pull.pull.reviews.map(({ body }) => body)).toEqual([
    expect.stringContaining("`a.txt:2`: It is not a number."),
  ]);
});

test("reviews of older heads are folded and their verdicts taken back; those of others stay", async () => {
  const { github, twin, there, author, talk, headSha, pull, repository } = await scene();
  await using _ = github;
  const first = { pullRequest: pull.number, headSha, event: "REQUEST_CHANGES", body: "No.", comments: [] } as const;
  await postReview(talk, repository, first, never);
  const pasted = {
    author,
    body: `<!-- autolith:review=${headSha} -->`,
    state: "CHANGES_REQUESTED",
    commitId: headSha,
  } as const;
  twin.pulls.review(pull, pasted, []);
  const next = await twin.repositories.commit(there, { branch: "topic", files: { "b.txt": "b\n" }, author });
  await postReview(talk, repository, { ...first, headSha: next }, never);
  await retireReviews(talk, repository, { pullRequest: pull.number, headSha: next }, never);
  await retireReviews(talk, repository, { pullRequest: pull.number, headSha: next }, never);
  expect(pull.pull.reviews.map(({ state, minimizedReason }) => `${state} ${minimizedReason}`)).toEqual([
    "DISMISSED outdated",
    "CHANGES_REQUESTED null",
    "CHANGES_REQUESTED null",
  ]);
  expect(twin.journal.problems()).toEqual([]);
});

test("a verdict that branch protection lets nobody but people take back stays, and the review is folded all the same", async () => {
  const { github, twin, talk, headSha, pull, repository } = await scene();
  await using _ = github;
  const review = { pullRequest: pull.number, headSha, event: "REQUEST_CHANGES", body: "No.", comments: [] } as const;
  await postReview(talk, repository, review, never);
  twin.fault({ path: /\/dismissals$/, status: 403, message: "Not authorized to dismiss" });
  await retireReviews(talk, repository, { pullRequest: pull.number, headSha: "b".repeat(40) }, never);
  expect(pull.pull.reviews).toMatchObject([{ state: "CHANGES_REQUESTED", minimizedReason: "outdated" }]);
});
