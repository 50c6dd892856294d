import { expect, test } from "vitest";
import type { FailedCheck } from "../../src/evidence/evidence.ts";
import { gatherEvidence } from "../../src/evidence/gather.ts";
import { type GitHubScene, githubScene, never } from "../github/github-scene.ts";
import type { NewJob } from "../twin/world/workflows.ts";

const red: NewJob = {
  name: "test (3.13)",
  steps: [
    { uses: "actions/checkout@v4" },
    { run: "pip install -e ." },
    { run: "pytest -q", env: { TZ: "Asia/Tokyo" }, output: "1 failed", exitCode: 1 },
  ],
};

async function gather(scene: GitHubScene): Promise<readonly FailedCheck[]> {
  const { twin, there, repository } = scene;
  const sha = (await twin.repositories.branches.resolve(there, "refs/heads/main")) ?? "";
  const github = await scene.client("evidence");
  const { checks } = await gatherEvidence(
    { github, repository, sha, appId: twin.app.id, apiUrl: twin.apiUrl, logWaitsMs: [5, 5] },
    never,
  );
  expect(twin.journal.problems()).toEqual([]);
  return checks;
}

async function sceneWith(...jobs: NewJob[]): Promise<GitHubScene> {
  const scene = await githubScene();
  await scene.twin.workflows.run(scene.there, { branch: "main", jobs });
  return scene;
}

test("the failing step's command and environment come from the job's log", async () => {
  await using scene = await sceneWith(red, { name: "lint", steps: [{ run: "ruff check" }] });
  expect(await gather(scene)).toEqual([
    {
      name: "test (3.13)",
      url: expect.stringMatching(/\/acme\/words\/actions\/runs\/\d+\/job\/\d+$/),
      command: "pytest -q",
      env: { TZ: "Asia/Tokyo" },
      needs: null,
      gap: null,
    },
  ]);
});

const logs = /\/actions\/jobs\/\d+\/logs$/;

test("a log that comes late is waited for", async () => {
  await using scene = await sceneWith(red);
  scene.twin.fault({ path: logs, status: 404, count: 2 });
  expect(await gather(scene)).toMatchObject([{ command: "pytest -q" }]);
});

test.each([
  ["a log that has expired", { status: 410 }, "the job's log has expired"],
  ["logs that may not be read", { status: 403 }, /actions: read is missing/],
  [
    "a log on a service beside us",
    { status: 302, headers: { location: "http://169.254.169.254/x" } },
    /not one to follow/,
  ],
  ["a log without an address", { status: 302, headers: { location: "javascript:alert(1)" } }, /not one to follow/],
])("%s is a gap, and no command", async (_, fault, gap) => {
  await using scene = await sceneWith(red);
  scene.twin.fault({ path: logs, count: 9, ...fault });
  expect(await gather(scene)).toMatchObject([{ command: null, gap: expect.stringMatching(gap) }]);
});

test("the log's store gets no token", async () => {
  await using scene = await sceneWith(red);
  await gather(scene);
  const fetched = scene.twin.requests.filter(({ path }) => logs.test(path));
  expect(fetched.map(({ headers }) => headers["authorization"] !== undefined)).toEqual([true]);
});

test.each(["windows-latest", "macos-15"])("a job on %s cannot run here", async (runsOn) => {
  await using scene = await sceneWith({ ...red, runsOn });
  expect(await gather(scene)).toMatchObject([{ command: null, needs: expect.stringContaining(runsOn) }]);
});

test("a step for another shell gives no command", async () => {
  const step = { run: "pytest", shell: "pwsh -command \". '{0}'\"", exitCode: 1 };
  await using scene = await sceneWith({ name: "test", steps: [step] });
  expect(await gather(scene)).toMatchObject([{ command: null, gap: expect.stringContaining("POSIX shell") }]);
});

test("a check of another CI has no log, and its link is not passed on", async () => {
  await using scene = await githubScene();
  const { twin, there } = scene;
  const headSha = (await twin.repositories.branches.resolve(there, "refs/heads/main")) ?? "";
  const app = twin.accounts.addIntegration("circleci");
  const end = { headSha, status: "completed", conclusion: "failure" } as const;
  await twin.checks.create(there, { app, name: "ci/test", detailsUrl: "https://evil.example/x", ...end });
  await twin.checks.create(there, { app: twin.app, name: "Autolith", ...end });
  expect(await gather(scene)).toMatchObject(
    [{ name: "ci/test", url: null, command: null, gap: /no log to read/ }].map((check) => ({
      ...check,
      gap: expect.stringMatching(check.gap),
    })),
  );
});

test("a check of GitHub Actions that is no job is looked at no further", async () => {
  await using scene = await githubScene();
  const { twin, there } = scene;
  const headSha = (await twin.repositories.branches.resolve(there, "refs/heads/main")) ?? "";
  const report = { app: twin.accounts.githubActions, name: "report", headSha, conclusion: "failure" } as const;
  await twin.checks.create(there, { ...report, status: "completed" });
  expect(await gather(scene)).toMatchObject([{ name: "report", command: null }]);
});

test("a step that asks for a secret which Dependabot's workflows do not have is no failure of the code", async () => {
  const publish = { run: "npm publish", output: "npm error NPM_TOKEN is not set", exitCode: 1 };
  const login = { uses: "docker/login-action@v4", output: "##[error]Username and password required", exitCode: 1 };
  const jobs: NewJob[] = [
    { name: "publish", steps: [publish], secretSource: "Dependabot" },
    { name: "image", steps: [login], secretSource: "None" },
  ];
  await using scene = await sceneWith(...jobs);
  expect((await gather(scene)).map(({ needs, command }) => [needs, command])).toEqual([
    ["its workflow has no secrets, and the step asks for one (Username and password required)", null],
    ["its workflow has Dependabot's secrets only, and the step asks for one (NPM_TOKEN)", null],
  ]);
});

test("a step that has its secrets, and one that prints whose it has, may well fail by the code", async () => {
  const output = "Secret source: Dependabot\nAPI_TOKEN is not set";
  await using scene = await sceneWith({ name: "test", steps: [{ run: "pytest -q", output, exitCode: 1 }] });
  expect(await gather(scene)).toMatchObject([{ needs: null, command: "pytest -q" }]);
});
