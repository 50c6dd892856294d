// The main job, from a red check to an open pull request: `autolith serve` between a twin of GitHub and a model, with real containers.
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { messageOf } from "../../src/errors.ts";
import { startService } from "../e2e/run-serve.ts";
import { honestFixer } from "../model-server/policies/fixer.ts";
import { forgetEarlier } from "./forget-earlier.ts";
import { type DemoRepository, demoRepositories } from "./plans.ts";
import { reviewDemo } from "./review-demo.ts";
import { defaultBranchScene, followCheck, pullRequestScene, turnCheckRed } from "./stage.ts";

interface DemoResult {
  readonly repository: string;
  readonly outcome: "opened" | "not opened";
  readonly pullRequest: {
    readonly number: number;
    readonly title: string;
    readonly head: string;
    readonly base: string;
    readonly body: string;
  } | null;
  readonly seconds: number;
}

const { values, positionals } = parseArgs({
  options: { json: { type: "boolean", default: false } },
  allowPositionals: true,
});
const { OPENAI_BASE_URL, OPENAI_API_KEY, AUTOLITH_MODEL } = process.env;
const isScripted = OPENAI_BASE_URL === undefined && OPENAI_API_KEY === undefined;
const data = join(tmpdir(), "autolith-demo");
const own = { OPENAI_BASE_URL, OPENAI_API_KEY, AUTOLITH_MODEL };
const environment = { AUTOLITH_DATA_DIR: data, ...(isScripted ? {} : definedOnly(own)) };

say(
  isScripted
    ? "Model: scripted (neither OPENAI_BASE_URL nor OPENAI_API_KEY is set). It knows the repairs; containers, runtimes, git, proof and the App are real."
    : `Model: the endpoint in your environment (${OPENAI_BASE_URL ?? "OpenAI"}).`,
);
say("GitHub: a twin on this machine, with real git repositories and signed deliveries.");
try {
  forgetEarlier(data);
} catch (error) {
  say(`The demo cannot begin, maybe because another one is running: ${messageOf(error)}`);
  process.exit(1);
}
if (positionals[0] === "review") {
  const posted = await reviewDemo({ environment, say });
  say(`\nTraces: ${join(data, "traces")}`);
  process.exit(posted ? 0 : 1);
}
await using service = await startService({ environment });
const results: DemoResult[] = [];
for (const [index, demo] of demoRepositories.entries()) results.push(await show(demo, index));
await service.stop();
say(`\nTraces of both runs: ${join(data, "traces")}`);
const opened = results.filter(({ outcome }) => outcome === "opened").length;
say(`${opened} of ${results.length} red checks got a proven pull request.`);
if (values.json) process.stdout.write(`${JSON.stringify({ scripted: isScripted, repositories: results })}\n`);
process.exitCode = opened === results.length ? 0 : 1;

/** The first repository's pull request turns red, the second one's default branch. */
async function show(demo: DemoRepository, index: number): Promise<DemoResult> {
  service.think(honestFixer(demo.plan));
  const scene = await (index === 0 ? pullRequestScene : defaultBranchScene)(service, demo);
  const where =
    scene.pull === undefined
      ? `the default branch of acme/${demo.repository}`
      : `pull request #${scene.pull.number} of acme/${demo.repository} ("${demo.title}")`;
  say(`\n=== The check "test" of ${where} turns red ===`);
  const start = performance.now();
  const at = () => `${((performance.now() - start) / 1000).toFixed(1).padStart(6)} s  `;
  await turnCheckRed(service, scene, demo);
  say(`${at()}signed deliveries sent`);
  const found = await followCheck(service, scene, (title) => say(`${at()}${title}`));
  const seconds = Math.round((performance.now() - start) / 100) / 10;
  if (found === undefined) return { repository: demo.name, outcome: "not opened", pullRequest: null, seconds };
  const { number, title, body, pull } = found;
  const diff = await scene.repository.git.text(["diff", `${pull.base.ref}...${pull.head.ref}`]);
  say(`\n--- Pull request #${number}: ${title}`);
  say(`--- ${pull.head.ref} into ${pull.base.ref}, as a reader sees it\n\n${body}\n\n--- Its diff\n\n${diff}`);
  const pullRequest = { number, title, head: pull.head.ref, base: pull.base.ref, body: body ?? "" };
  return { repository: demo.name, outcome: "opened", pullRequest, seconds };
}

function definedOnly(values: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
