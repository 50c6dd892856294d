import { setTimeout as delay } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { knownBots } from "../../src/config/known-bots.ts";
import { calls } from "../model-server/answer.ts";
import { honestFixer } from "../model-server/policies/fixer.ts";
import { reviewer } from "../model-server/policies/reviewer.ts";
import { givesUp } from "../model-server/policies/stuck.ts";
import { when } from "../model-server/policy.ts";
import type { Twin } from "../twin/twin.ts";
import { botPullRequest, repaired, reviewChecks, reviewed } from "./bot-pull-request.ts";
import { blog } from "./bump-projects.ts";
import { nobody, proposals, pushed } from "./expectations.ts";
import { type ReviewScene, reviewScene } from "./review-scene.ts";

let scene: ReviewScene;
const longMs = 300_000;

beforeAll(async () => {
  scene = await reviewScene();
});

afterEach(async () => {
  await scene.service.twin.webhooks.settled();
  expect(scene.service.twin.journal.problems()).toEqual([]);
});

afterAll(async () => {
  expect(await scene.service.stop()).toBe(0);
  await scene[Symbol.asyncDispose]();
});

const look = { language: "node", code: "const { line } = await import('/work/src/receipt.js');\nline('tea', 2.5)" };
const isReview = (tools: unknown) => JSON.stringify(tools).includes("submit_review");
const finding = {
  file: "package.json",
  line: 9,
  message: "pad 2 takes its width in an object, so that receipts lose their columns.",
  evidence: { run: 3, shows: "tea 2.50" },
};

test(
  "a bump that breaks a test is told with the facts, and repaired on top of the bot's branch",
  async () => {
    const { service, base, bump } = scene;
    const { twin } = service;
    const edits = [
      { path: "src/receipt.js", old_text: "pad(price.toFixed(2), 8)", new_text: "pad(price.toFixed(2), { width: 8 })" },
    ];
    const fix = honestFixer({ edits, root_cause: "pad 2 takes its width by name.", summary: "Name the width." });
    service.think(when(({ request }) => isReview(request.tools), reviewer([finding], [calls("execute", look)]), fix));
    const opened = await botPullRequest(twin, { base, changes: bump("2.0.0") });
    await reviewed(twin, opened);
    const { reviews, reviewComments, head } = opened.pull.pull;
    expect(reviews).toMatchObject([{ state: "COMMENTED", commitId: opened.sha }]);
    expect(reviews[0]?.body).toContain("test/receipt.test.js > aligns prices");
    expect(reviews[0]?.body).toContain("called at `src/receipt.js:4`");
    expect(reviewComments).toMatchObject([{ path: "package.json", line: 9 }]);
    expect((await repaired(twin, opened)).output.title).toBe("Repair proposed");
    expect(proposals(twin, opened.repository).map(({ pull }) => pull.base.ref)).toEqual([head.ref]);
    expect(head.sha).toBe(opened.sha);
  },
  2 * longMs,
);

test(
  "a file that no bump needs is asked about, and the older review is folded when the bot pushes again",
  async () => {
    const { service, base, bump } = scene;
    const { twin } = service;
    service.think(reviewer([]));
    const changes = { ...bump("1.1.0"), "scripts/postinstall.js": "process.exitCode = 0;\n" };
    const opened = await botPullRequest(twin, { base, changes });
    await reviewed(twin, opened);
    const [review, ...more] = opened.pull.pull.reviews;
    expect(more).toEqual([]);
    expect(review?.body).toContain("Changes more than versions: `scripts/postinstall.js`.");
    expect(review?.body).toContain("first word in this repository");
    const { repository, bot: author, pull } = opened;
    twin.clock.advance(2_000);
    const files = { "scripts/postinstall.js": null };
    const sha = await twin.repositories.commit(repository, {
      branch: pull.pull.head.ref,
      files,
      author,
      verified: true,
    });
    expect((await reviewed(twin, { repository, sha })).conclusion).toBe("success");
    expect(pull.pull.reviews).toHaveLength(1);
    expect(review?.minimizedReason).toBe("outdated");
  },
  longMs,
);

test(
  "who is only called like a bot, and a person's commit on top, make it a pull request like any other",
  async () => {
    const { service, base, bump } = scene;
    const { twin } = service;
    service.think(reviewer([]));
    const author = () => twin.accounts.addBot("dependabot-preview[bot]", 666);
    const spoofed = await botPullRequest(twin, { base, changes: bump("1.1.0"), author });
    const opened = await botPullRequest(twin, { base, changes: bump("1.1.0") });
    await reviewed(twin, opened);
    twin.clock.advance(2_000);
    const onTop = { branch: opened.pull.pull.head.ref, files: { "a.txt": "a\n" }, author: opened.ada, verified: true };
    const sha = await twin.repositories.commit(opened.repository, onTop);
    await delay(3_000);
    expect(reviewChecks(twin, spoofed.repository, spoofed.sha)).toEqual([]);
    expect(reviewChecks(twin, opened.repository, sha)).toEqual([]);
  },
  longMs,
);

test(
  "a lockfile that the bump forgot is told, and changes are asked for where the repository wants that",
  async () => {
    const { service, base, bump } = scene;
    const { twin } = service;
    service.think(reviewer([]));
    const config = { ".github/autolith.yml": "review:\n  event: request_changes\n" };
    const { "package.json": manifest = "" } = bump("2.0.0");
    const opened = await botPullRequest(twin, { base: { ...base, ...config }, changes: { "package.json": manifest } });
    await reviewed(twin, opened);
    expect(opened.pull.pull.reviews).toMatchObject([{ state: "CHANGES_REQUESTED" }]);
    const said = [...opened.pull.pull.reviews, ...opened.pull.pull.reviewComments].map(({ body }) => body).join("\n");
    expect(said).toContain("asks for pad 2.0.0, and package-lock.json has 1.0.0");
  },
  longMs,
);

test(
  "a bump of a Python package is told with its call sites, whatever name it is imported by",
  async () => {
    const { service } = scene;
    const { twin } = service;
    service.think(when(({ request }) => isReview(request.tools), reviewer([]), givesUp()));
    const changes = { "requirements.txt": "simple-slugs==2.0\n" };
    const opened = await botPullRequest(twin, { base: blog, changes, branch: "dependabot/pip/simple-slugs-2" });
    await reviewed(twin, opened);
    const { body = "" } = opened.pull.pull.reviews[0] ?? {};
    expect(body).toContain("- `simple-slugs` 1.0 → 2.0, called at `blog.py:6`");
    expect(body).toContain("test_blog.py::test_address");
    await repaired(twin, opened);
  },
  longMs,
);

test(
  "a workflow whose actions get newer versions is looked at and not run; one that changes more is told",
  async () => {
    const { service, base } = scene;
    const { twin } = service;
    service.think(nobody);
    const path = ".github/workflows/ci.yml";
    const workflow = (version: string, command: string) =>
      `on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@${version}\n      - run: ${command}\n`;
    const old = { ...base, [path]: workflow("v4", "npm test") };
    const pinned = await botPullRequest(twin, { base: old, changes: { [path]: workflow("v5", "npm test") } });
    const check = await reviewed(twin, pinned);
    expect(check.output).toMatchObject({
      title: "Nothing to object to.",
      summary: `Changes versions only: \`${path}\`.`,
    });
    const more = await botPullRequest(twin, { base: old, changes: { [path]: workflow("v5", "npm test || true") } });
    await reviewed(twin, more);
    expect(more.pull.pull.reviews[0]?.body).toContain(`Changes more than versions: \`${path}\`.`);
  },
  longMs,
);

const copilot = (twin: Twin) => twin.accounts.addBot("Copilot", knownBots.copilot);

test(
  "an agent that weakens a test is told what the test as it was says of its code",
  async () => {
    const { service, base } = scene;
    const { twin } = service;
    const invented = { ...finding, file: "src/receipt.js", line: 400 };
    service.think(reviewer([invented]));
    const weak = (base["test/receipt.test.js"] ?? "").replace(
      'assert.equal(line("tea", 2.5), "tea     2.50");',
      'assert.ok(line("tea", 2.5));',
    );
    const code = (base["src/receipt.js"] ?? "").replace("toFixed(2), 8", "toFixed(2), 6");
    const changes = { "src/receipt.js": code, "test/receipt.test.js": weak };
    const opened = await botPullRequest(twin, { base, changes, author: copilot, branch: "copilot/columns" });
    const check = await reviewed(twin, opened);
    const { reviews, reviewComments } = opened.pull.pull;
    expect(reviews[0]?.body).toContain("**The changed tests hide a failure.**");
    expect(reviews[0]?.body).toContain("| head, with the base's tests | 1 passed, 1 failed |");
    expect(reviewComments).toMatchObject([
      { path: "test/receipt.test.js", line: 6, body: "`weakens-assertion` an assertion accepts more than before." },
    ]);
    expect(check.output.summary).toContain("1 finding of the model is left out");
  },
  longMs,
);

test(
  "a diff that is too large for a model is said to be, with no token spent",
  async () => {
    const { service, base } = scene;
    const { twin } = service;
    service.think(nobody);
    const changes = {
      "src/table.js": `export const table = [\n${"  'a row of a very long table',\n".repeat(4_000)}];\n`,
    };
    const opened = await botPullRequest(twin, { base, changes, author: copilot, branch: "copilot/table" });
    const check = await reviewed(twin, opened);
    expect(check.output.summary).toContain("the diff is too large for a model to review");
    expect(opened.pull.pull.reviews).toEqual([]);
  },
  longMs,
);

test(
  "a writer has any pull request reviewed; killed while it is posted, the service posts it once",
  async () => {
    const { service, base } = scene;
    const { twin } = service;
    service.think(reviewer([]));
    const author = (of: Twin) => of.accounts.ensure("grace");
    const changes = { "src/receipt.js": (base["src/receipt.js"] ?? "").replace("8)", "9)") };
    const opened = await botPullRequest(twin, { base, changes, author, branch: "wider", verified: false });
    twin.clock.advance(2_000);
    twin.issues.comment(opened.pull, opened.ada, "/autolith review");
    await new Promise<void>((struck) => {
      const meanwhile = async () => {
        await service.kill();
        struck();
      };
      twin.fault({ method: "POST", path: /\/pulls\/\d+\/reviews$/, after: true, drop: true, meanwhile });
    });
    await service.start();
    await reviewed(twin, opened);
    expect(opened.pull.pull.reviews).toHaveLength(1);
    expect(opened.pull.pull.reviews[0]?.body).toContain("aligns prices");
    expect(await pushed(opened.repository)).toEqual([]);
  },
  longMs,
);
