import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { appClient, at, clientFor } from "./client.ts";
import { receiver } from "./receiver.ts";
import { startTwin, type Twin } from "./twin.ts";

function signature(twin: Twin, body: string): string {
  return `sha256=${createHmac("sha256", twin.app.webhookSecret).update(body).digest("hex")}`;
}

test("a delivery is signed, numbered, and remembers its answer", async () => {
  await using twin = await startTwin({ checkAnswers: true });
  await using app = await receiver();
  twin.webhooks.connect(app.url);
  const repository = await twin.repositories.add({ owner: "acme", name: "shop" });
  const issue = twin.issues.open(repository, { title: "x", author: twin.accounts.addUser("ada") });
  const comment = twin.issues.comment(issue, issue.author, "/autolith fix");
  expect(app.received).toEqual([]);
  const happening = { event: "issue_comment", action: "created", comment, sender: issue.author } as const;
  const delivery = await twin.webhooks.send(happening);
  expect(delivery).toMatchObject({ event: "issue_comment", action: "created", status: 202, response: "ok" });
  const [got] = app.received;
  expect(got?.headers).toMatchObject({
    "x-github-event": "issue_comment",
    "x-github-delivery": delivery.guid,
    "x-hub-signature-256": signature(twin, got?.body ?? ""),
    "content-type": "application/json",
  });
  expect(JSON.parse(got?.body ?? "")).toMatchObject({
    comment: { body: "/autolith fix", user: { login: "ada" } },
    installation: { id: twin.installations.covering(repository)?.id },
    repository: { id: repository.id, full_name: "acme/shop" },
    sender: { login: "ada" },
  });
  expect(twin.journal.problems()).toEqual([]);
});

test("a redelivery has the same GUID, by hand and through the API", async () => {
  await using twin = await startTwin({ checkAnswers: true });
  let status = 500;
  await using app = await receiver(() => status);
  twin.webhooks.connect(app.url);
  const first = await twin.deliver("ping", { zen: "Keep it logically awesome." });
  const rest = appClient(twin).rest.apps;
  const { data: failed } = await rest.listWebhookDeliveries({ status: "failure" });
  expect(failed).toMatchObject([{ guid: first.guid, status_code: 500, event: "ping" }]);
  status = 200;
  await rest.redeliverWebhookDelivery({ delivery_id: failed[0]?.id ?? 0 });
  await twin.webhooks.settled();
  await twin.webhooks.redeliver(first);
  expect(new Set(app.received.map(({ headers }) => headers["x-github-delivery"]))).toEqual(new Set([first.guid]));
  expect(twin.webhooks.deliveries.map(({ status: its, redelivery }) => `${its} ${redelivery}`)).toEqual([
    "500 false",
    "200 true",
    "200 true",
  ]);
  expect(twin.journal.problems()).toEqual([]);
});

test("deliveries can be wrong in every way that a receiver must refuse", async () => {
  await using twin = await startTwin();
  await using app = await receiver();
  twin.webhooks.connect(app.url);
  await twin.deliver("ping", {}, { secret: "other" });
  await twin.deliver("ping", {}, { headers: { "x-hub-signature-256": undefined } });
  await twin.deliver("ping", {}, { body: "{not json", guid: "g" });
  const [wrong, missing, broken] = app.received;
  expect(wrong?.headers["x-hub-signature-256"]).not.toBe(signature(twin, "{}"));
  expect(missing?.headers["x-hub-signature-256"]).toBeUndefined();
  expect(broken).toMatchObject({
    body: "{not json",
    headers: { "x-github-delivery": "g", "x-hub-signature-256": signature(twin, "{not json") },
  });
  twin.webhooks.connect("http://127.0.0.1:1/");
  expect((await twin.deliver("ping", {})).status).toBe(0);
});

test("what the app does comes back to it as webhooks, from its bot", async () => {
  await using twin = await startTwin({ checkAnswers: true });
  await using app = await receiver();
  const repository = await twin.repositories.add({ owner: "acme", name: "shop" });
  const head = await twin.repositories.commit(repository, { branch: "topic", files: { a: "a" } });
  twin.webhooks.connect(app.url, ["check_run", "check_suite", "issue_comment", "pull_request"]);
  const { rest } = await clientFor(twin, repository);
  const check = await rest.checks.create({
    ...at(repository),
    name: "Autolith",
    head_sha: head,
    status: "in_progress",
  });
  await rest.checks.update({ ...at(repository), check_run_id: check.data.id, conclusion: "success" });
  const pull = await rest.pulls.create({ ...at(repository), title: "x", head: "topic", base: "main" });
  await rest.issues.createComment({ ...at(repository), issue_number: pull.data.number, body: "hello" });
  await twin.webhooks.settled();
  expect(app.names().sort()).toEqual([
    "check_run.completed",
    "check_run.created",
    "check_suite.completed",
    "issue_comment.created",
    "pull_request.opened",
  ]);
  const senders = app.received.map(({ body }) => JSON.parse(body).sender);
  expect(new Set(senders.map(({ login, type }) => `${login} ${type}`))).toEqual(new Set(["autolith[bot] Bot"]));
  expect(twin.journal.problems()).toEqual([]);
});
