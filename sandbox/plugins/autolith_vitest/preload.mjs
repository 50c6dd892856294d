/**
 * Loaded by `--import` into every node process of a test run. In vitest's own process it puts our reporter beside the
 * command's; in one that runs test files it removes our variables and starts the reading of locals. In any other (npm, a
 * compiler, the supervisor of a pool) it does nothing.
 */
import fs from "node:fs";
import { isMainThread } from "node:worker_threads";
import { leaveNoTrace, remainingMs, report, wantsLocals } from "../autolith_node_test/environment.mjs";

const program = realpath(process.argv[1] ?? "");
const isRunner = /\/vitest\/(?:vitest\.mjs|dist\/cli\.js)$/.test(program);
const isWorker =
  process.env.VITEST !== undefined &&
  /\/(?:tinypool\/dist\/(?:esm\/)?entry|vitest\/dist\/workers)\/\w+\.js$/.test(program);

if (report !== undefined && isWorker) await beWatched();
else if (report !== undefined && !isMainThread) leaveNoTrace();
else if (report !== undefined && isRunner) await reportBeside();

async function beWatched() {
  leaveNoTrace();
  if (!wantsLocals) return;
  if (isMainThread) {
    const { readLocals } = await import("../autolith_node_test/locals.mjs");
    await readLocals({ file: "", remainingMs, asJson: true });
  } else {
    const { readThreadLocals } = await import("../autolith_node_test/thread-locals.mjs");
    readThreadLocals({ asJson: true });
  }
}

async function reportBeside() {
  const { request } = await import("../autolith_javascript/request.mjs");
  const { vitestArguments } = await import("./arguments.mjs");
  const { RunReporter, handOver } = await import("./run-reporter.mjs");
  const words = vitestArguments(process.argv.slice(2), request, new URL("./reporter.mjs", import.meta.url).pathname);
  if (words === null) return;
  RunReporter.version = versionOf(program);
  globalThis[handOver] = RunReporter;
  process.argv.splice(2, process.argv.length, ...words);
}

function versionOf(file) {
  try {
    const folder = file.slice(0, file.lastIndexOf("/vitest/") + "/vitest/".length);
    return JSON.parse(fs.readFileSync(`${folder}package.json`, "utf8")).version;
  } catch {
    return "";
  }
}

function realpath(file) {
  try {
    return fs.realpathSync(file);
  } catch {
    return file;
  }
}
