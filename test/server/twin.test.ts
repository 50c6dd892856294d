import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { startTwin, type Twin } from "../twin/twin.ts";
import { ownAppId } from "../webhook/event-payloads.ts";
import { addressOf, secret } from "./deliver.ts";
import { startApp } from "./start-app.ts";

const manifest = parse(readFileSync(new URL("../../app.yml", import.meta.url), "utf8"));

/** The App behind a twin of GitHub, which sends it the events that `app.yml` asks for. */
async function scene() {
  const twin = await startTwin({ appId: ownAppId, webhookSecret: secret });
  onTestFinished(() => twin[Symbol.asyncDispose]());
  const { server, changes } = await startApp();
  twin.webhooks.connect(addressOf(server.port), manifest.default_events);
  const repository = await twin.repositories.add({ owner: "acme", name: "shop" });
  const ada = twin.accounts.addUser("ada");
  await twin.repositories.commit(repository, { branch: "topic", files: { a: "1\n" }, author: ada });
  const pull = await twin.pulls.open(repository, { head: "topic", author: ada });
  const seen = async () => {
    await twin.webhooks.settled();
    expect(twin.webhooks.deliveries.filter(({ status }) => status !== 200)).toEqual([]);
    return changes.splice(0);
  };
  await seen();
  return { twin, repository, ada, pull, seen };
}

const red: Parameters<Twin["workflows"]["run"]>[1]["jobs"] = [
  { name: "test", steps: [{ run: "npm test", exitCode: 1 }] },
  { name: "lint", steps: [{ run: "npm run lint", exitCode: 1 }] },
];

test("a red workflow on a pull request asks for its repair, check by check, and then says that all is known", async () => {
  const { twin, repository, pull, seen } = await scene();
  await twin.workflows.run(repository, { branch: "topic", jobs: red });
  const subject = { kind: "branch", branch: "topic", pullRequest: pull.number };
  expect(await seen()).toMatchObject([
    { kind: "fix", job: { subject, sha: pull.pull.head.sha, causes: [{ name: "test" }] } },
    { kind: "fix", job: { subject, sha: pull.pull.head.sha, causes: [{ name: "lint" }] } },
    { kind: "complete", subject, sha: pull.pull.head.sha },
  ]);
});

test("a red workflow on the default branch asks for the repair of that branch", async () => {
  const { twin, repository, seen } = await scene();
  await twin.workflows.run(repository, { branch: "main", jobs: red });
  const job = { subject: { kind: "branch", branch: "main", pullRequest: null } };
  expect(await seen()).toMatchObject([{ kind: "fix", job }, { kind: "fix", job }, { kind: "complete" }]);
});

test("a red workflow of a fork, which names no pull request, has to be looked up", async () => {
  const { twin, repository, seen } = await scene();
  const fork = await twin.repositories.fork(repository, "guest");
  await twin.repositories.commit(fork, { branch: "idea", files: { b: "b\n" } });
  await twin.pulls.open(repository, { head: "idea", from: fork, author: twin.accounts.ensure("guest") });
  await seen();
  await twin.workflows.run(repository, { branch: "idea", from: fork, jobs: red });
  expect(await seen()).toMatchObject([{ intake: { kind: "commit" } }, { intake: { kind: "commit" } }]);
});

test("a green workflow and a check of our own lead to nothing", async () => {
  const { twin, repository, pull, seen } = await scene();
  await twin.workflows.run(repository, { branch: "topic", jobs: [{ name: "test", steps: [{ run: "npm test" }] }] });
  const mine = { app: twin.app, name: "Autolith", headSha: pull.pull.head.sha } as const;
  await twin.checks.create(repository, { ...mine, conclusion: "failure" });
  expect(await seen()).toEqual([]);
});

test("a command, an edit, a push, a draft and the end of a pull request are told apart", async () => {
  const { twin, repository, ada, pull, seen } = await scene();
  const comment = twin.issues.comment(pull, ada, "/autolith fix the sum is wrong");
  expect(await seen()).toMatchObject([
    {
      intake: {
        kind: "command",
        comment: { user: { id: ada.id } },
        issue: { number: pull.number, isPullRequest: true },
      },
    },
  ]);
  twin.issues.editComment(comment, "/autolith stop");
  expect(await seen()).toEqual([]);
  const sha = await twin.repositories.commit(repository, { branch: "topic", files: { a: "2\n" }, author: ada });
  expect(await seen()).toMatchObject([{ kind: "head", head: { sha, pushedAt: expect.any(Date), draft: false } }]);
  twin.pulls.setDraft(pull, true, ada);
  expect(await seen()).toMatchObject([{ kind: "head", head: { sha, pushedAt: null, draft: true } }]);
  twin.pulls.setState(pull, "closed", ada);
  expect(await seen()).toMatchObject([{ kind: "cancel", cause: "closed" }]);
});

test("a person who closes a pull request of ours refuses it", async () => {
  const { twin, repository, ada, seen } = await scene();
  await twin.repositories.commit(repository, { branch: "autolith/fix-1-abc", files: { a: "3\n" } });
  const ours = await twin.pulls.open(repository, { head: "autolith/fix-1-abc", author: twin.app.bot });
  expect(await seen()).toEqual([]);
  twin.pulls.setState(ours, "closed", ada);
  const refusal = { kind: "refusal", repositoryId: repository.id, pullRequest: ours.number, refused: true };
  expect(await seen()).toEqual([refusal]);
});

test("the re-run button asks, and taking the App away ends everything", async () => {
  const { twin, repository, ada, pull, seen } = await scene();
  const own = await twin.checks.create(repository, {
    app: twin.app,
    name: "Autolith",
    headSha: pull.pull.head.sha,
    conclusion: "neutral",
  });
  twin.checks.rerequest(own, ada);
  expect(await seen()).toMatchObject([{ intake: { kind: "rerun", checkRunId: own.id, user: { id: ada.id } } }]);
  const installation = twin.installations.covering(repository);
  if (installation === undefined) throw new Error("the App is not installed");
  twin.installations.suspend(installation);
  twin.installations.suspend(installation, false);
  twin.installations.removeRepositories(installation, [repository]);
  twin.installations.remove(installation);
  expect(await seen()).toMatchObject([
    { kind: "lost", repositoryIds: "all", forget: false },
    { kind: "lost", repositoryIds: [repository.id], forget: true },
    { kind: "lost", repositoryIds: "all", forget: true },
  ]);
});
