import { afterAll, beforeAll, expect, test } from "vitest";
import { reviewer } from "../model-server/policies/reviewer.ts";
import { botPullRequest, reviewed } from "./bot-pull-request.ts";
import { type ReviewScene, reviewScene } from "./review-scene.ts";

let scene: ReviewScene;

beforeAll(async () => {
  scene = await reviewScene();
});

afterAll(async () => {
  expect(await scene.service.stop()).toBe(0);
  await scene[Symbol.asyncDispose]();
});

test("a clean bump gets a green check with the facts, and no word", async () => {
  const { service, base, bump } = scene;
  const { twin } = service;
  service.think(reviewer([]));
  const opened = await botPullRequest(twin, { base, changes: bump("1.1.0") });
  const check = await reviewed(twin, opened);
  expect(check).toMatchObject({ conclusion: "success", output: { title: "Nothing to object to." } });
  expect(check.output.summary).toContain("2 passed");
  expect(check.output.summary).toContain("`pad` 1.0.0 → 1.1.0, called at `src/receipt.js:4`");
  expect(opened.pull.pull.reviews).toEqual([]);
  expect(opened.pull.comments).toEqual([]);
  await twin.webhooks.settled();
  expect(twin.journal.problems()).toEqual([]);
});
