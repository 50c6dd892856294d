import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { onTestFinished } from "vitest";
import { z } from "zod";
import { removeLayersOf } from "../dependencies/layers-left.ts";
import type { ProjectFiles } from "./projects.ts";

const launcher = resolve(import.meta.dirname, "../../bin/autolith");

/** The last line of standard output with `--json`; unknown keys are a fault. */
const fixOutput = z.strictObject({
  outcome: z.string(),
  reason: z.string(),
  iterations: z.number().int(),
  patch: z.string().nullable(),
  proof: z
    .strictObject({
      redBefore: z.boolean(),
      greenAfter: z.boolean(),
      redOnRevert: z.boolean(),
      regressions: z.array(z.string()),
      findings: z.array(
        z.strictObject({
          rule: z.string(),
          file: z.string(),
          line: z.number().int(),
          severity: z.enum(["error", "warning"]),
          message: z.string(),
        }),
      ),
    })
    .nullable(),
  usage: z.strictObject({
    inputTokens: z.number().int(),
    cachedTokens: z.number().int(),
    outputTokens: z.number().int(),
    costUsd: z.number().nullable(),
  }),
  durationMs: z.number(),
  trace: z.string(),
});
export type FixOutput = z.infer<typeof fixOutput>;

export interface FixRun {
  readonly pid: number | undefined;
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunFixOptions {
  readonly modelUrl: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Called once the process runs. */
  readonly onStart?: (kill: (signal: NodeJS.Signals) => void) => void;
}

/** A new folder with the files; removed when the test ends. */
export function projectFolder(files: ProjectFiles): string {
  const folder = mkdtempSync(join(tmpdir(), "autolith-project-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

/** Runs `bin/autolith fix` as a user would, with an environment of its own. */
export async function runFix(args: readonly string[], options: RunFixOptions): Promise<FixRun> {
  const data = mkdtempSync(join(tmpdir(), "autolith-data-"));
  onTestFinished(async () => {
    await removeLayersOf(data);
    rmSync(data, { recursive: true, force: true });
  });
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(process.execPath, [launcher, "fix", ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH,
      HOME,
      ...passedOn(),
      OPENAI_BASE_URL: options.modelUrl,
      AUTOLITH_MODEL: "scripted",
      AUTOLITH_DATA_DIR: data,
      ...options.environment,
    },
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  options.onStart?.((signal) => child.kill(signal));
  const exitCode = await new Promise<number | null>((done) => child.on("close", done));
  return { pid: child.pid, exitCode, stdout, stderr };
}

/** Which engine and image the tests use is the machine's matter. */
function passedOn(): Record<string, string> {
  const names = ["DOCKER_HOST", "AUTOLITH_SANDBOX_IMAGE"];
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}

/** The JSON object that `--json` printed last. Fails when it is not exactly as documented. */
export function outputOf(run: FixRun): FixOutput {
  const last = run.stdout.trimEnd().split("\n").at(-1) ?? "";
  return fixOutput.parse(JSON.parse(last));
}

/** A digest of every file below a folder, with modes, to see that nothing was touched. */
export function digestOf(folder: string): string {
  const hash = createHash("sha256");
  for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted()) {
    const stat = lstatSync(join(folder, path));
    hash.update(`${path}\0${stat.mode}\0`);
    if (stat.isFile()) hash.update(readFileSync(join(folder, path)));
  }
  return hash.digest("hex");
}
