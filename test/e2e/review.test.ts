import { setTimeout as delay } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { engineUnderTest } from "../docker/engine-under-test.ts";
import { calls } from "../model-server/answer.ts";
import { honestFixer } from "../model-server/policies/fixer.ts";
import { reviewer } from "../model-server/policies/reviewer.ts";
import { when } from "../model-server/policy.ts";
import { type Registry, startRegistry } from "../registry/registry.ts";
import { botPullRequest, repaired, reviewChecks, reviewed } from "./bot-pull-request.ts";
import { asksFor, padVersions, shopCode } from "./bump-projects.ts";
import { proposals } from "./expectations.ts";
import { type Service, startService } from "./run-serve.ts";

let service: Service;
let registry: Registry;

beforeAll(async () => {
  const { engine } = await engineUnderTest();
  registry = await startRegistry({ engine, npm: padVersions });
  service = await startService({ environment: registry.environment });
});

const base = () => ({ ...asksFor(registry, "1.0.0"), ...shopCode });

afterEach(async () => {
  await service.twin.webhooks.settled();
  expect(service.twin.journal.problems()).toEqual([]);
});

afterAll(async () => {
  expect(await service.stop()).toBe(0);
  await service[Symbol.asyncDispose]();
  await registry[Symbol.asyncDispose]();
});

test("a clean bump gets a green check with the facts, and no word", async () => {
  service.think(reviewer([]));
  const { twin } = service;
  const bump = await botPullRequest(twin, { base: base(), changes: asksFor(registry, "1.1.0") });
  const check = await reviewed(twin, bump);
  expect(check).toMatchObject({ conclusion: "success", output: { title: "Nothing to object to." } });
  expect(check.output.summary).toContain("2 passed");
  expect(bump.pull.pull.reviews).toEqual([]);
  expect(bump.pull.comments).toEqual([]);
});

test("a bump that breaks a test is told with the facts, and repaired on top of the bot's branch", async () => {
  const { twin } = service;
  const breaks = {
    file: "package.json",
    line: 9,
    message: "pad 2 takes its width in an object, so that receipt lines lose their column.",
    evidence: { run: 3, shows: "tea 2.50" },
  };
  const code = "const { line } = await import('/work/src/receipt.js');\nline('tea', 2.5)";
  const look = reviewer([breaks], [calls("execute", { language: "node", code })]);
  const edits = [
    { path: "src/receipt.js", old_text: "pad(price.toFixed(2), 8)", new_text: "pad(price.toFixed(2), { width: 8 })" },
  ];
  const fix = honestFixer({ edits, root_cause: "pad 2 takes its width by name.", summary: "Name the width." });
  service.think(when(({ request }) => JSON.stringify(request.tools).includes("submit_review"), look, fix));
  const bump = await botPullRequest(twin, { base: base(), changes: asksFor(registry, "2.0.0") });
  await reviewed(twin, bump);
  const [review, ...more] = bump.pull.pull.reviews;
  expect(more).toEqual([]);
  expect(review?.body).toContain("test/receipt.test.js > aligns prices");
  expect(review?.body).toContain("called at `src/receipt.js:4`");
  expect(bump.pull.pull.reviewComments).toMatchObject([{ path: "package.json", line: 9 }]);
  const fixed = await repaired(twin, bump);
  expect(fixed.output.title).toBe("Repair proposed");
  expect(proposals(twin, bump.repository).map(({ pull }) => pull.base.ref)).toEqual([bump.pull.pull.head.ref]);
});

test("a file that no bump needs is asked about, and the older review is folded when the bot pushes again", async () => {
  service.think(reviewer([]));
  const { twin } = service;
  const changes = { ...asksFor(registry, "1.1.0"), "scripts/postinstall.js": "process.exitCode = 0;\n" };
  const bump = await botPullRequest(twin, { base: base(), changes });
  await reviewed(twin, bump);
  const [review, ...more] = bump.pull.pull.reviews;
  expect(more).toEqual([]);
  expect(review).toMatchObject({ state: "COMMENTED", commitId: bump.sha });
  expect(review?.body).toContain("Changes more than versions: `scripts/postinstall.js`.");
  const { repository, bot: author } = bump;
  twin.clock.advance(2_000);
  const files = { "scripts/postinstall.js": null };
  const sha = await twin.repositories.commit(repository, {
    branch: bump.pull.pull.head.ref,
    files,
    author,
    verified: true,
  });
  expect((await reviewed(twin, { repository, sha })).conclusion).toBe("success");
  expect(bump.pull.pull.reviews).toHaveLength(1);
  expect(review?.minimizedReason).toBe("outdated");
});

test("who is only called like a bot, and a person's commit on top, make it a pull request like any other", async () => {
  service.think(reviewer([]));
  const { twin } = service;
  const author = () =>
    twin.accounts.byLogin("dependabot-preview[bot]") ?? twin.accounts.addBot("dependabot-preview[bot]", 666);
  const spoofed = await botPullRequest(twin, { base: base(), changes: asksFor(registry, "1.1.0"), author });
  const bump = await botPullRequest(twin, { base: base(), changes: asksFor(registry, "1.1.0") });
  await reviewed(twin, bump);
  twin.clock.advance(2_000);
  const onTop = { branch: bump.pull.pull.head.ref, files: { "a.txt": "a\n" }, author: bump.ada, verified: true };
  const sha = await twin.repositories.commit(bump.repository, onTop);
  await delay(3_000);
  expect(reviewChecks(twin, spoofed.repository, spoofed.sha)).toEqual([]);
  expect(reviewChecks(twin, bump.repository, sha)).toEqual([]);
});
