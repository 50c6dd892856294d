import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Benchmark } from "./benchmark.ts";
import { benchContext } from "./context.ts";
import { benchReset } from "./reset.ts";
import { benchSandbox } from "./sandbox.ts";
import { benchService } from "./service.ts";

const benchmarks: Readonly<Record<string, (signal: AbortSignal) => Promise<Benchmark>>> = {
  sandbox: benchSandbox,
  reset: benchReset,
  context: benchContext,
  service: benchService,
};

const usage = `usage: npm run bench -- [--json] [${Object.keys(benchmarks).join(" | ")}]...\n`;

process.exitCode = await main(process.argv.slice(2));

/** Runs the named benchmarks, or all. With `--json` the last line of each is one JSON object. */
async function main(args: string[]): Promise<number> {
  const { json, names, wrong } = options(args);
  if (wrong) {
    process.stderr.write(usage);
    return 2;
  }
  await makeImage();
  const interrupted = new AbortController();
  process.once("SIGINT", () => interrupted.abort());
  for (const name of names) {
    const found = await benchmarks[name]?.(interrupted.signal);
    process.stdout.write(found?.text ?? "");
    if (json) process.stdout.write(`${JSON.stringify(found?.figures)}\n`);
  }
  return 0;
}

function options(args: string[]): { json: boolean; names: string[]; wrong: boolean } {
  const flags = args.filter((arg) => arg.startsWith("-"));
  const named = args.filter((arg) => !arg.startsWith("-"));
  const wrong = flags.some((flag) => flag !== "--json") || named.some((name) => !Object.hasOwn(benchmarks, name));
  return { json: flags.includes("--json"), names: named.length > 0 ? named : Object.keys(benchmarks), wrong };
}

/** Quick when the engine has the image already. What it says goes to standard error. */
async function makeImage(): Promise<void> {
  const setup = fileURLToPath(new URL("../sandbox/setup/main.ts", import.meta.url));
  const child = spawn(process.execPath, [setup], { stdio: ["ignore", process.stderr, "inherit"] });
  const [status] = await once(child, "exit");
  if (status !== 0) throw new Error("the sandbox image could not be made");
}
