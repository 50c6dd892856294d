import type { Octokit } from "@octokit/rest";
import { expect, test } from "vitest";
import { at, clientFor } from "./client.ts";
import { startTwin } from "./twin.ts";

const COMMIT = `mutation ($input: CreateCommitOnBranchInput!) {
  createCommitOnBranch(input: $input) { commit { oid url signature { isValid } } ref { name } }
}`;

interface Committed {
  readonly createCommitOnBranch: { readonly commit: { readonly oid: string } };
}

function commit(
  octokit: Octokit,
  branchName: string,
  expectedHeadOid: string,
  fileChanges: object,
): Promise<Committed> {
  const branch = { repositoryNameWithOwner: "acme/shop", branchName };
  return octokit.graphql<Committed>(COMMIT, {
    input: { branch, expectedHeadOid, message: { headline: "Fix it", body: "Because." }, fileChanges },
  });
}

const base64 = (text: string): string => Buffer.from(text).toString("base64");

test("createCommitOnBranch writes a verified commit of the bot", async () => {
  await using twin = await startTwin({ checkAnswers: true });
  const repository = await twin.repositories.add({
    owner: "acme",
    name: "shop",
    files: { "a.txt": "1\n", "old.txt": "x\n" },
  });
  const head = String(await twin.repositories.branches.resolve(repository, "main"));
  const octokit = await clientFor(twin, repository, { contents: "write" });
  const changes = { additions: [{ path: "src/new.txt", contents: base64("new\n") }], deletions: [{ path: "old.txt" }] };
  const { createCommitOnBranch: made } = await commit(octokit, "main", head, changes);
  const { data } = await octokit.rest.repos.getCommit({ ...at(repository), ref: made.commit.oid });
  expect(data.commit.message).toBe("Fix it\n\nBecause.");
  expect(data.commit.verification).toMatchObject({ verified: true, reason: "valid" });
  expect([data.author?.login, data.committer?.login]).toEqual(["autolith[bot]", "web-flow"]);
  expect(data.parents.map(({ sha }) => sha)).toEqual([head]);
  expect(data.files?.map(({ filename, status }) => `${filename} ${status}`).sort()).toEqual([
    "old.txt removed",
    "src/new.txt added",
  ]);
  const committed = twin.journal.of("POST /graphql");
  expect(committed).toMatchObject([
    { needed: ["contents:write"], permissions: { contents: "write", metadata: "read" } },
  ]);
  expect(twin.journal.problems()).toEqual([]);
});

test("a moved head is STALE_DATA in a 200, also for the slower of two at once", async () => {
  await using twin = await startTwin();
  const repository = await twin.repositories.add({ owner: "acme", name: "shop", files: { "a.txt": "1\n" } });
  const head = String(await twin.repositories.branches.resolve(repository, "main"));
  const octokit = await clientFor(twin, repository);
  const attempt = (name: string) =>
    commit(octokit, "main", head, { additions: [{ path: name, contents: base64(name) }] });
  const results = await Promise.allSettled([attempt("x"), attempt("y")]);
  expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  await expect(attempt("z")).rejects.toMatchObject({
    errors: [
      {
        type: "STALE_DATA",
        path: ["createCommitOnBranch"],
        locations: [{ line: 2, column: 3 }],
        message: `Expected branch to point to "${head}" but it did not.  Pull and try again.`,
      },
    ],
    response: { data: { createCommitOnBranch: null } },
  });
  expect(twin.requests.at(-1)?.status).toBe(200);
});

test("a commit is refused without the permission, on workflows, on missing paths and on missing branches", async () => {
  await using twin = await startTwin();
  const repository = await twin.repositories.add({ owner: "acme", name: "shop", files: { "a.txt": "1\n" } });
  const head = String(await twin.repositories.branches.resolve(repository, "main"));
  const add = (path: string) => ({ additions: [{ path, contents: base64("x") }] });
  const reader = await clientFor(twin, repository, { contents: "read" });
  const type = (expected: string) => ({ errors: [expect.objectContaining({ type: expected })] });
  await expect(commit(reader, "main", head, add("b"))).rejects.toMatchObject({
    errors: [
      { type: "FORBIDDEN", message: "Resource not accessible by integration", extensions: { saml_failure: false } },
    ],
  });
  const writer = await clientFor(twin, repository);
  await expect(commit(writer, "main", head, add(".github/workflows/ci.yml"))).rejects.toMatchObject(type("FORBIDDEN"));
  await expect(commit(writer, "main", head, { deletions: [{ path: "none" }] })).rejects.toMatchObject(
    type("NOT_FOUND"),
  );
  await expect(commit(writer, "none", head, add("b"))).rejects.toMatchObject(type("NOT_FOUND"));
  expect(await twin.repositories.branches.resolve(repository, "main")).toBe(head);
});

test("ids are resolved, comments minimised, reactions added and drafts made ready", async () => {
  await using twin = await startTwin();
  const repository = await twin.repositories.add({ owner: "acme", name: "shop" });
  const ada = twin.accounts.addUser("ada");
  await twin.repositories.commit(repository, { branch: "topic", files: { "a.txt": "a\n" } });
  const pull = await twin.pulls.open(repository, { head: "topic", author: ada, draft: true });
  const comment = twin.issues.comment(pull, ada, "old news");
  const octokit = await clientFor(twin, repository);
  const { data } = await octokit.rest.issues.getComment({ ...at(repository), comment_id: comment.id });
  const minimize =
    "mutation ($id: ID!) { minimizeComment(input: { subjectId: $id, classifier: OUTDATED }) { minimizedComment { isMinimized } } }";
  expect(await octokit.graphql(minimize, { id: data.node_id })).toEqual({
    minimizeComment: { minimizedComment: { isMinimized: true } },
  });
  expect(comment.minimizedReason).toBe("outdated");
  await octokit.graphql(
    "mutation ($id: ID!) { addReaction(input: { subjectId: $id, content: EYES }) { reaction { content } } }",
    { id: data.node_id },
  );
  expect(comment.reactions.map(({ user, content }) => `${user.login} ${content}`)).toEqual(["autolith[bot] eyes"]);
  const query =
    'query { repository(owner: "acme", name: "shop") { id pullRequest(number: 1) { id isDraft headRefOid mergeable } } }';
  const found = await octokit.graphql<{ repository: { pullRequest: { id: string; isDraft: boolean } } }>(query);
  expect(found.repository.pullRequest).toMatchObject({
    isDraft: true,
    mergeable: "MERGEABLE",
    headRefOid: pull.pull.head.sha,
  });
  const ready =
    "mutation ($id: ID!) { markPullRequestReadyForReview(input: { pullRequestId: $id }) { pullRequest { isDraft } } }";
  await octokit.graphql(ready, { id: found.repository.pullRequest.id });
  expect(pull.pull.draft).toBe(false);
  const node = await octokit.graphql("query ($id: ID!) { node(id: $id) { ... on PullRequest { number state } } }", {
    id: found.repository.pullRequest.id,
  });
  expect(node).toEqual({ node: { number: 1, state: "OPEN" } });
  expect(twin.journal.problems()).toEqual([]);
});

test("a query outside of GitHub's schema is a violation, and a field that the twin lacks a surprise", async () => {
  await using twin = await startTwin();
  const repository = await twin.repositories.add({ owner: "acme", name: "shop" });
  const octokit = await clientFor(twin, repository);
  await expect(octokit.graphql('{ repository(owner: "acme", name: "shop") { nonsense } }')).rejects.toThrow(/nonsense/);
  expect(twin.violations).toHaveLength(1);
  await expect(octokit.graphql('{ repository(owner: "acme", name: "shop") { stargazerCount } }')).rejects.toThrow(
    /stargazerCount/,
  );
  expect(twin.surprises).toEqual(["GraphQL Repository.stargazerCount is no field of the twin"]);
  await expect(octokit.graphql('{ repository(owner: "acme", name: "none") { id } }')).rejects.toMatchObject({
    errors: [{ type: "NOT_FOUND" }],
  });
});
