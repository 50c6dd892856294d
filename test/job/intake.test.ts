import { expect, test } from "vitest";
import type { Change, Effect } from "../../src/job/change.ts";
import { takeCommand } from "../../src/job/command-intake.ts";
import { takeCommit } from "../../src/job/commit-intake.ts";
import type { Command } from "../../src/job/intake.ts";
import { type GitHubScene, githubScene, never } from "../github/github-scene.ts";
import type { Account } from "../twin/world/account.ts";
import type { Issue, PullIssue } from "../twin/world/issue.ts";

const proposals = async () => [];
const accepted: Effect = { kind: "queued", jobId: "1" };

interface Asked {
  readonly changes: readonly Change[];
  readonly reactions: readonly string[];
  /** Answers, without their markers. */
  readonly answers: readonly string[];
}

async function pullOf(
  scene: GitHubScene,
  options: { readonly head?: string } = {},
): Promise<{ pull: PullIssue; ada: Account }> {
  const { twin, there } = scene;
  const ada = twin.accounts.addUser("ada");
  twin.repositories.permit(there, ada, "write");
  const { head = "topic" } = options;
  await twin.repositories.commit(there, { branch: head, files: { "b.txt": "b\n" }, author: ada });
  const pull = await twin.pulls.open(there, { head, author: ada });
  return { pull, ada };
}

async function ask(
  scene: GitHubScene,
  issue: Issue,
  user: Account,
  command: Command,
  options: { readonly effect?: Effect; readonly beforeTaken?: () => Promise<unknown> } = {},
): Promise<Asked> {
  const { twin, there, access } = scene;
  twin.clock.advance(5_000);
  const comment = twin.issues.comment(issue, user, "/autolith …");
  await options.beforeTaken?.();
  const changes: Change[] = [];
  const apply = async (change: Change) => {
    changes.push(change);
    return options.effect ?? accepted;
  };
  const { id, number, locked: isLocked, state, pull } = { ...issue };
  expect(id).toBeDefined();
  const intake = {
    kind: "command" as const,
    installationId: twin.installations.covering(there)?.id ?? 0,
    repository: { id: there.id, owner: "acme", name: "words", defaultBranch: "main" },
    command,
    comment: { id: comment.id, createdAt: comment.createdAt, user: { id: user.id, login: user.login } },
    issue: { number, isPullRequest: pull !== null, isOpen: state === "open", isLocked },
  };
  await takeCommand(intake, { access, appId: twin.app.id, apply, proposals }, never);
  // Whatever is handed out twice says everything once.
  await takeCommand(
    intake,
    { access, appId: twin.app.id, apply: async () => options.effect ?? accepted, proposals },
    never,
  );
  expect(twin.journal.problems()).toEqual([]);
  const answers = issue.comments
    .filter(({ app }) => app !== null)
    .map(({ body }) => body.split("\n").slice(1).join("\n"));
  return { changes, answers, reactions: comment.reactions.map(({ content }) => content) };
}

const fix: Command = { name: "fix", hint: "look at b" };

test("a writer's wish is a job for the head that they saw, with their hint", async () => {
  await using scene = await githubScene();
  const { pull, ada } = await pullOf(scene);
  const { changes, reactions, answers } = await ask(scene, pull, ada, fix);
  expect(changes).toMatchObject([
    {
      kind: "fix",
      job: {
        sha: pull.pull.head.sha,
        subject: { kind: "branch", branch: "topic", pullRequest: pull.number },
        causes: [{ kind: "command", userId: ada.id, hint: "look at b" }],
      },
    },
  ]);
  expect({ reactions, answers }).toEqual({ reactions: ["eyes"], answers: [] });
});

test.each<Command>([fix, { name: "stop" }, { name: "help" }, { name: "unknown", word: "x", suggestion: null }])(
  "a reader's %j gets a reaction and nothing else",
  async (command) => {
    await using scene = await githubScene();
    const { pull } = await pullOf(scene);
    const asked = await ask(scene, pull, scene.twin.accounts.addUser("eve"), command);
    expect(asked).toEqual({ changes: [], answers: [], reactions: ["confused"] });
  },
);

test("a push after the comment means that it has to be asked again", async () => {
  await using scene = await githubScene();
  const { pull, ada } = await pullOf(scene);
  const beforeTaken = () =>
    scene.twin.repositories.commit(scene.there, { branch: "topic", files: { "c.txt": "c\n" }, author: ada });
  const { changes, reactions, answers } = await ask(scene, pull, ada, fix, { beforeTaken });
  expect({ changes, reactions }).toEqual({ changes: [], reactions: [] });
  expect(answers).toEqual([expect.stringContaining("comment `/autolith fix` again")]);
});

test("a push that only an event told of counts alike", async () => {
  await using scene = await githubScene();
  const { pull, ada } = await pullOf(scene);
  const { answers } = await ask(scene, pull, ada, fix, { effect: { kind: "ignored", reason: "pushed-since" } });
  expect(answers).toEqual([expect.stringContaining("pushed to after your comment")]);
});

test("a closed pull request and one of ours are declined in words", async () => {
  await using scene = await githubScene();
  const { twin, there } = scene;
  const { pull, ada } = await pullOf(scene);
  twin.pulls.setState(pull, "closed", ada);
  expect((await ask(scene, pull, ada, fix)).answers).toEqual([expect.stringContaining("closed")]);
  await twin.repositories.commit(there, { branch: "autolith/fix-x", files: { "d.txt": "d\n" }, author: ada });
  const own = await twin.pulls.open(there, { head: "autolith/fix-x", author: ada });
  expect((await ask(scene, own, ada, fix)).answers).toEqual([expect.stringContaining("Autolith's own")]);
});

test("a writer can stop what runs", async () => {
  await using scene = await githubScene();
  const { pull, ada } = await pullOf(scene);
  const { changes, reactions } = await ask(scene, pull, ada, { name: "stop" });
  expect(changes).toMatchObject([{ kind: "cancel", cause: "stopped", subject: { branch: "topic" } }]);
  expect(reactions).toEqual(["eyes"]);
});

test("the commit of a fork is found among the open pull requests", async () => {
  await using scene = await githubScene();
  const { twin, there, access } = scene;
  const fork = await twin.repositories.fork(there, "eve");
  const sha = await twin.repositories.commit(fork, { branch: "topic", files: { "b.txt": "b\n" } });
  const pull = await twin.pulls.open(there, { head: "topic", from: fork, author: fork.owner });
  const changes: Change[] = [];
  const apply = async (change: Change) => {
    changes.push(change);
    return accepted;
  };
  const about = {
    installationId: twin.installations.covering(there)?.id ?? 0,
    repository: { id: there.id, owner: "acme", name: "words", defaultBranch: "main" },
  };
  const cause = { kind: "check", name: "test", checkRunId: 1 } as const;
  const services = { access, appId: twin.app.id, apply, proposals };
  const shaSeenAt = "2026-01-01T00:00:00.000Z";
  await takeCommit({ kind: "commit", ...about, sha, shaSeenAt, cause }, services, never);
  await takeCommit({ kind: "commit", ...about, sha: "0".repeat(40), shaSeenAt, cause }, services, never);
  expect(changes).toMatchObject([{ job: { sha, subject: { kind: "fork", pullRequest: pull.number } } }]);
  const user = { id: fork.owner.id, login: "eve" };
  await takeCommit({ kind: "rerun", ...about, sha, checkRunId: 1, user, askedAt: shaSeenAt }, services, never);
  expect(changes).toHaveLength(1);
});
