import { expect, test } from "vitest";
import { redeliverMissed } from "../../src/github/missed-deliveries.ts";
import { receiver } from "../twin/receiver.ts";
import { githubScene, never } from "./github-scene.ts";

test("deliveries that nobody took are delivered again under their first GUIDs, in order, and no others", async () => {
  await using scene = await githubScene();
  const { twin, access } = scene;
  const { webhooks } = twin;
  let status = 202;
  await using app = await receiver(() => status);
  webhooks.connect(app.url);
  const deliver = (guid: string) => webhooks.deliver("check_run", { action: "completed", guid }, { guid });
  await deliver("old");
  twin.clock.advance(25 * 3_600_000);
  await deliver("taken");
  status = 400;
  await deliver("refused");
  status = 502;
  await deliver("missed-1");
  await deliver("later");
  webhooks.connect("http://127.0.0.1:9/");
  await deliver("missed-2");
  webhooks.connect(app.url);
  status = 202;
  await deliver("later");

  const before = app.received.length;
  const now = new Date(twin.clock.now());
  expect(await redeliverMissed(access.app, now, never)).toBe(2);
  await webhooks.settled();
  const again = app.received.slice(before).map(({ headers }) => headers["x-github-delivery"]);
  expect(again).toEqual(["missed-1", "missed-2"]);
  expect(await redeliverMissed(access.app, now, never)).toBe(0);
  expect(twin.journal.problems()).toEqual([]);
});

test("a missed delivery is found behind a page of others", async () => {
  await using scene = await githubScene();
  const { twin, access } = scene;
  const { webhooks } = twin;
  let status = 502;
  await using app = await receiver(() => status);
  webhooks.connect(app.url);
  const deliver = (guid: string) => webhooks.deliver("check_run", { action: "completed" }, { guid });
  await deliver("missed");
  status = 202;
  for (let number = 0; number < 100; number += 1) await deliver(`taken-${number}`);
  expect(await redeliverMissed(access.app, new Date(twin.clock.now()), never)).toBe(1);
  await webhooks.settled();
  expect(app.received.at(-1)?.headers["x-github-delivery"]).toBe("missed");
  expect(twin.journal.problems()).toEqual([]);
});
