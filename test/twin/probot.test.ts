import { createNodeMiddleware, Probot, ProbotOctokit } from "probot";
import { expect, test } from "vitest";
import { listen } from "./http/server.ts";
import { startTwin } from "./twin.ts";

test("a Probot app takes the twin's webhooks and answers through its API", async () => {
  await using twin = await startTwin({ enterprise: true, checkAnswers: true });
  const Octokit = ProbotOctokit.defaults((options: object) => ({
    ...options,
    retry: { enabled: false },
    throttle: { enabled: false },
  }));
  const { id: appId, privateKey, webhookSecret: secret } = twin.app;
  const probot = new Probot({ appId, privateKey, secret, baseUrl: twin.apiUrl, Octokit, logLevel: "fatal" });
  const middleware = await createNodeMiddleware(
    (app) => {
      app.on("check_run.completed", async (context) => {
        const [pull] = context.payload.check_run.pull_requests;
        if (pull === undefined) return;
        const body = `${context.payload.check_run.name} is red`;
        await context.octokit.rest.issues.createComment(context.repo({ issue_number: pull.number, body }));
      });
    },
    { probot },
  );
  const { server, origin } = await listen((request, response) => void middleware(request, response));
  const repository = await twin.repositories.add({ owner: "acme", name: "shop" });
  const ada = twin.accounts.addUser("ada");
  await twin.repositories.commit(repository, { branch: "topic", files: { a: "a" }, author: ada });
  const pull = await twin.pulls.open(repository, { head: "topic", author: ada });
  twin.webhooks.connect(`${origin}/api/github/webhooks`, twin.app.events);
  const steps = [{ run: "npm test", exitCode: 1 }];
  await twin.workflows.run(repository, { branch: "topic", jobs: [{ name: "test", steps }] });
  await twin.webhooks.settled();
  expect(pull.comments.map(({ author, body }) => `${author.login}: ${body}`)).toEqual(["autolith[bot]: test is red"]);
  expect(new Set(twin.webhooks.deliveries.map(({ status }) => status))).toEqual(new Set([200]));
  const [checkRun] = repository.checkRuns.values();
  if (checkRun === undefined) throw new Error("no check run");
  const forged = { event: "check_run", action: "completed", checkRun, sender: ada } as const;
  expect((await twin.webhooks.send(forged, { secret: "wrong" })).status).toBe(400);
  expect(twin.journal.problems()).toEqual([]);
  server.close();
});
