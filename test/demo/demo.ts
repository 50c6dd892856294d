// Repairs the two demo repositories through `autolith fix`, as a user would, and shows what happened.
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { startModelServer } from "../model-server/model-server.ts";
import { honestFixer } from "../model-server/policies/fixer.ts";
import { type DemoRepository, demoRepositories } from "./plans.ts";

const here = import.meta.dirname;
const launcher = resolve(here, "../../bin/autolith");

interface DemoResult {
  readonly repository: string;
  readonly exitCode: number | null;
  readonly output: {
    readonly outcome: string;
    readonly patch: string | null;
    readonly proof: Record<string, unknown> | null;
  };
}

const { values } = parseArgs({ options: { json: { type: "boolean", default: false } } });
const isScripted = process.env["OPENAI_BASE_URL"] === undefined && process.env["OPENAI_API_KEY"] === undefined;
say(
  isScripted
    ? "Model: scripted (no OPENAI_BASE_URL or OPENAI_API_KEY is set). It knows the repair; everything else is real: containers, runtimes, proof."
    : `Model: the endpoint in your environment (${process.env["OPENAI_BASE_URL"] ?? "OpenAI"}).`,
);
const results: DemoResult[] = [];
for (const repository of demoRepositories) results.push(await repair(repository));
const fixed = results.filter((result) => result.output.outcome === "fixed").length;
say(`\n${fixed} of ${results.length} demo repositories repaired and proven.`);
if (values.json) process.stdout.write(`${JSON.stringify({ scripted: isScripted, repositories: results })}\n`);
process.exitCode = fixed === results.length ? 0 : 1;

async function repair(repository: DemoRepository): Promise<DemoResult> {
  const folder = mkdtempSync(join(tmpdir(), "autolith-demo-"));
  const traces = join(tmpdir(), "autolith-demo-traces");
  const server = isScripted ? await startModelServer({ policy: honestFixer(repository.plan) }) : null;
  const environment = server === null ? {} : { OPENAI_BASE_URL: server.url, AUTOLITH_MODEL: "scripted" };
  try {
    cpSync(join(here, "repositories", repository.name), folder, { recursive: true });
    say(`\n=== ${repository.name} ===`);
    const run = await runFix(["--repo", folder, "--trace-out", join(traces, `${repository.name}.jsonl`)], environment);
    const output = JSON.parse(run.stdout.trimEnd().split("\n").at(-1) ?? "{}") as DemoResult["output"];
    if (output.patch !== null) say(`\n${output.patch}`);
    return { repository: repository.name, exitCode: run.exitCode, output };
  } finally {
    await server?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Progress goes straight to this process's standard error. */
function runFix(
  args: readonly string[],
  environment: Record<string, string>,
): Promise<{ exitCode: number | null; stdout: string }> {
  const child = spawn(process.execPath, [launcher, "fix", "--json", ...args], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...environment },
  });
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  return new Promise((done) => child.on("close", (exitCode) => done({ exitCode, stdout })));
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
