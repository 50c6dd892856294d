import { expect, test } from "vitest";
import { at, clientFor } from "./client.ts";
import { startTwin } from "./twin.ts";

const RED = [
  { uses: "actions/checkout@v4" },
  { run: "npm ci" },
  { run: "npm test", exitCode: 1, output: "1 failed" },
  { run: "npm pack" },
];

test("the app makes a check run and updates it until it is completed", async () => {
  await using twin = await startTwin({ checkAnswers: true });
  const repository = await twin.repositories.add({ owner: "acme", name: "shop" });
  const head_sha = String(await twin.repositories.branches.resolve(repository, "main"));
  const { checks } = (await clientFor(twin, repository, { checks: "write" })).rest;
  const { data } = await checks.create({
    ...at(repository),
    name: "Autolith",
    head_sha,
    status: "in_progress",
    external_id: "job-1",
  });
  expect(data).toMatchObject({
    status: "in_progress",
    conclusion: null,
    external_id: "job-1",
    app: { id: twin.app.id },
  });
  const target = { ...at(repository), check_run_id: data.id };
  const annotation = { path: "a.txt", start_line: 1, end_line: 1, annotation_level: "notice" as const, message: "m" };
  const annotations = Array.from({ length: 50 }, () => annotation);
  await checks.update({ ...target, output: { title: "t", summary: "s", annotations } });
  await checks.update({
    ...target,
    conclusion: "neutral",
    output: { title: "t", summary: "s2", annotations: annotations.slice(0, 5) },
  });
  const { data: done } = await checks.get(target);
  expect(done).toMatchObject({
    status: "completed",
    conclusion: "neutral",
    output: { summary: "s2", annotations_count: 55 },
  });
  expect((await checks.listAnnotations({ ...target, per_page: 50, page: 2 })).data).toHaveLength(5);
  expect((await checks.listSuitesForRef({ ...at(repository), ref: "main" })).data.check_suites).toMatchObject([
    { conclusion: "neutral" },
  ]);
  expect(twin.journal.problems()).toEqual([]);
});

test("check runs that GitHub would not take are refused", async () => {
  await using twin = await startTwin();
  const repository = await twin.repositories.add({ owner: "acme", name: "shop" });
  const head_sha = String(await twin.repositories.branches.resolve(repository, "main"));
  const { checks } = (await clientFor(twin, repository)).rest;
  const create = (rest: object) => checks.create({ ...at(repository), name: "x", head_sha, ...rest });
  await expect(create({ output: { title: "t", summary: "😀".repeat(17_000) } })).rejects.toMatchObject({
    message: /maximum bytesize of 65535/,
  });
  await expect(create({ conclusion: "stale" })).rejects.toMatchObject({ status: 422 });
  await expect(create({ head_sha: "1".repeat(40) })).rejects.toMatchObject({
    status: 422,
    message: /No commit found for SHA/,
  });
  expect(twin.journal.problems()).toEqual([]);
  const annotation = { path: "a", start_line: 1, end_line: 1, annotation_level: "notice", message: "m" };
  const many = create({
    output: { title: "t", summary: "s", annotations: Array.from({ length: 51 }, () => annotation) },
  });
  await expect(many).rejects.toMatchObject({ status: 422 });
  const run = await twin.workflows.run(repository, {
    branch: "main",
    event: "push",
    jobs: [{ name: "test", steps: RED }],
  });
  const foreign = checks.update({
    ...at(repository),
    check_run_id: run.jobs[0]?.checkRun.id ?? 0,
    conclusion: "success",
  });
  await expect(foreign).rejects.toMatchObject({ status: 403, message: /created it/ });
  expect(twin.violations).toEqual([expect.stringContaining("annotations must NOT have more than 50 items")]);
});

test("a failed job has check run, steps, annotation and log, which the storage hands out for one minute", async () => {
  await using twin = await startTwin({ checkAnswers: true });
  const repository = await twin.repositories.add({ owner: "acme", name: "shop" });
  const run = await twin.workflows.run(repository, {
    branch: "main",
    event: "push",
    jobs: [{ name: "test (20)", steps: RED }],
  });
  const { rest } = await clientFor(twin, repository, { actions: "read", checks: "read" });
  const { data: list } = await rest.checks.listForRef({ ...at(repository), ref: "main" });
  const [check] = list.check_runs;
  expect(check).toMatchObject({
    name: "test (20)",
    conclusion: "failure",
    app: { slug: "github-actions" },
    head_sha: run.headSha,
  });
  expect(check?.details_url).toMatch(new RegExp(`/acme/shop/actions/runs/${run.id}/job/${check?.id}$`));
  const job_id = check?.id ?? 0;
  const { data: job } = await rest.actions.getJobForWorkflowRun({ ...at(repository), job_id });
  expect(job.steps?.map(({ number, name, conclusion }) => `${number} ${name}: ${conclusion}`)).toEqual([
    "1 Set up job: success",
    "2 Run actions/checkout@v4: success",
    "3 Run npm ci: success",
    "4 Run npm test: failure",
    "5 Run npm pack: skipped",
    "6 Post Run actions/checkout@v4: success",
    "7 Complete job: success",
  ]);
  const { data: annotations } = await rest.checks.listAnnotations({ ...at(repository), check_run_id: job_id });
  expect(annotations).toMatchObject([{ path: ".github", message: "Process completed with exit code 1." }]);
  const log = String((await rest.actions.downloadJobLogsForWorkflowRun({ ...at(repository), job_id })).data);
  expect(log).toMatch(
    /Z ##\[group\]Run npm test\r\n.*npm test.*\r\n.*shell: \/usr\/bin\/bash -e \{0\}\r\n.*##\[endgroup\]\r\n.*Z 1 failed\r\n.*##\[error\]Process/,
  );
  expect(twin.journal.problems()).toEqual([]);
  const manual = await rest.actions.downloadJobLogsForWorkflowRun({
    ...at(repository),
    job_id,
    request: { redirect: "manual" },
  });
  const location = String(manual.headers.location);
  expect(location.startsWith(twin.storageUrl)).toBe(true);
  expect((await (await fetch(location)).arrayBuffer()).byteLength).toBeGreaterThan(500);
  expect((await fetch(location, { headers: { authorization: "Bearer x" } })).status).toBe(400);
  twin.clock.advance(61_000);
  expect((await fetch(location)).status).toBe(403);
  expect(twin.violations).toEqual(["a credential was sent to the log storage"]);
});

test("a running job has no log, and its run ends when the last job does", async () => {
  await using twin = await startTwin({ checkAnswers: true });
  const repository = await twin.repositories.add({ owner: "acme", name: "shop" });
  const slow = { name: "slow", steps: [{ run: "make", exitCode: 2 }], conclusion: null };
  const run = await twin.workflows.run(repository, {
    branch: "main",
    event: "push",
    jobs: [{ name: "test", steps: RED }, slow],
  });
  const [, job] = run.jobs;
  if (job === undefined) throw new Error("no job");
  const { actions } = (await clientFor(twin, repository)).rest;
  const log = () => actions.downloadJobLogsForWorkflowRun({ ...at(repository), job_id: job.checkRun.id });
  await expect(log()).rejects.toMatchObject({ status: 404 });
  expect((await actions.getWorkflowRun({ ...at(repository), run_id: run.id })).data.status).toBe("in_progress");
  twin.workflows.completeJob(run, job, { ...slow, conclusion: "timed_out" });
  const { data } = await actions.listWorkflowRunsForRepo({ ...at(repository), head_sha: run.headSha });
  expect(data.workflow_runs).toMatchObject([
    { status: "completed", conclusion: "failure", path: ".github/workflows/ci.yml" },
  ]);
  const { data: jobs } = await actions.listJobsForWorkflowRun({ ...at(repository), run_id: run.id });
  expect(jobs.jobs.map(({ name, conclusion }) => `${name} ${conclusion}`)).toEqual(["test failure", "slow timed_out"]);
  job.log = null;
  await expect(log()).rejects.toMatchObject({ status: 410 });
  expect(twin.journal.problems()).toEqual([]);
});

test("checks of a pull request name it, and those of a fork's commit name nothing", async () => {
  await using twin = await startTwin({ checkAnswers: true });
  const repository = await twin.repositories.add({ owner: "acme", name: "shop" });
  await twin.repositories.commit(repository, { branch: "topic", files: { a: "a" } });
  const pull = await twin.pulls.open(repository, { head: "topic", author: twin.accounts.addUser("ada") });
  const fork = await twin.repositories.fork(repository, "guest");
  await twin.repositories.commit(fork, { branch: "idea", files: { b: "b" } });
  await twin.pulls.open(repository, { head: "idea", from: fork, author: twin.accounts.ensure("guest") });
  const jobs = [{ name: "test", steps: RED }];
  const own = await twin.workflows.run(repository, { branch: "topic", jobs });
  const foreign = await twin.workflows.run(repository, { branch: "idea", from: fork, jobs });
  const { checks } = (await clientFor(twin, repository)).rest;
  const get = async (check_run_id = 0) => (await checks.get({ ...at(repository), check_run_id })).data.pull_requests;
  expect(await get(own.jobs[0]?.checkRun.id)).toMatchObject([
    { number: pull.number, head: { ref: "topic" }, base: { ref: "main" } },
  ]);
  expect(await get(foreign.jobs[0]?.checkRun.id)).toEqual([]);
  expect([own.suite.headBranch, foreign.suite.headBranch]).toEqual(["topic", null]);
  expect(twin.journal.problems()).toEqual([]);
});

test("statuses of other CIs are read, the newest of a context counting", async () => {
  await using twin = await startTwin({ checkAnswers: true });
  const repository = await twin.repositories.add({ owner: "acme", name: "shop" });
  const sha = String(await twin.repositories.branches.resolve(repository, "main"));
  const creator = twin.accounts.addIntegration("circleci").bot;
  const status = { sha, context: "ci/circleci: build", targetUrl: null, description: null, creator };
  twin.checks.addStatus(repository, { ...status, state: "pending" });
  twin.checks.addStatus(repository, { ...status, state: "failure" });
  const { repos } = (await clientFor(twin, repository, { statuses: "read" })).rest;
  const { data } = await repos.getCombinedStatusForRef({ ...at(repository), ref: "main" });
  expect(data).toMatchObject({ state: "failure", total_count: 1, statuses: [{ state: "failure" }] });
  expect((await repos.listCommitStatusesForRef({ ...at(repository), ref: "main" })).data).toHaveLength(2);
  expect(twin.journal.problems()).toEqual([]);
});
