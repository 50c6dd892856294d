import { expect, test } from "vitest";
import { at, clientFor } from "./client.ts";
import { startTwin } from "./twin.ts";

const REVIEWS = `query ($owner: String!, $name: String!, $number: Int!) {
  viewer { login }
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      reviews(last: 2) {
        nodes { id body state isMinimized author { __typename login } commit { oid } }
        pageInfo { hasPreviousPage }
      }
    }
  }
}`;
const MINIMIZE = `mutation ($input: MinimizeCommentInput!) {
  minimizeComment(input: $input) { minimizedComment { isMinimized minimizedReason } }
}`;

test("a review is found, minimized and taken back", async () => {
  await using twin = await startTwin({ checkAnswers: true });
  const repository = await twin.repositories.add({ owner: "acme", name: "shop", files: { "a.txt": "a\n" } });
  const renovate = twin.accounts.addBot("renovate[bot]", 29_139_614);
  await twin.repositories.commit(repository, { branch: "topic", files: { "a.txt": "b\n" }, author: renovate });
  const pull = await twin.pulls.open(repository, { head: "topic", author: renovate });
  const octokit = await clientFor(twin, repository);
  const target = { ...at(repository), pull_number: pull.number };
  const { data } = await octokit.rest.pulls.createReview({ ...target, event: "REQUEST_CHANGES", body: "No." });
  const found = await octokit.graphql(REVIEWS, { owner: "acme", name: "shop", number: pull.number });
  expect(found).toEqual({
    viewer: { login: "autolith[bot]" },
    repository: {
      pullRequest: {
        reviews: {
          nodes: [
            {
              id: data.node_id,
              body: "No.",
              state: "CHANGES_REQUESTED",
              isMinimized: false,
              author: { __typename: "Bot", login: "autolith" },
              commit: { oid: pull.pull.head.sha },
            },
          ],
          pageInfo: { hasPreviousPage: false },
        },
      },
    },
  });
  const minimized = await octokit.graphql(MINIMIZE, { input: { subjectId: data.node_id, classifier: "OUTDATED" } });
  expect(minimized).toMatchObject({ minimizeComment: { minimizedComment: { minimizedReason: "outdated" } } });
  const dismissal = { ...target, review_id: data.id, message: "Overtaken." };
  expect((await octokit.rest.pulls.dismissReview(dismissal)).data.state).toBe("DISMISSED");
  await expect(octokit.rest.pulls.dismissReview(dismissal)).rejects.toMatchObject({ status: 422 });
  expect(twin.journal.problems()).toEqual([]);
});

test("a commit that GitHub made for a bot is verified, and committed by GitHub", async () => {
  await using twin = await startTwin({ checkAnswers: true });
  const repository = await twin.repositories.add({ owner: "acme", name: "shop" });
  const author = twin.accounts.addBot("dependabot[bot]", 49_699_333);
  await twin.repositories.commit(repository, { branch: "bump", files: { "a.txt": "b\n" }, author, verified: true });
  const pull = await twin.pulls.open(repository, { head: "bump", author });
  const octokit = await clientFor(twin, repository);
  const { data } = await octokit.rest.pulls.listCommits({ ...at(repository), pull_number: pull.number });
  expect(data).toMatchObject([
    {
      author: { id: 49_699_333, type: "Bot" },
      committer: { id: 19_864_447, login: "web-flow" },
      commit: { verification: { verified: true } },
    },
  ]);
  expect(twin.journal.problems()).toEqual([]);
});
