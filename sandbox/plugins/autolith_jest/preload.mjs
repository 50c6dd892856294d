/**
 * Loaded by `--import` into every node process of a test run. In jest's own process it puts our reporter beside the
 * command's and removes our variables, which its workers and the tests must not see; in any other it does nothing. What
 * runs test files, in this process and in jest's workers, is watched.
 */
import fs from "node:fs";
import { createRequire } from "node:module";
import { isMainThread } from "node:worker_threads";
import { leaveNoTrace, report } from "../autolith_node_test/environment.mjs";

const program = realpath(process.argv[1] ?? "");
const isRunner = /\/(?:jest|jest-cli)\/bin\/jest\.js$|\/react-scripts\/scripts\/test\.js$/.test(program);

if (report !== undefined && isMainThread && isRunner) await reportBeside();

async function reportBeside() {
  const { request } = await import("../autolith_javascript/request.mjs");
  const { jestArguments } = await import("./arguments.mjs");
  const { RunReporter, handOver } = await import("./run-reporter.mjs");
  const { watchFrameworks } = await import("./watch-frameworks.mjs");
  const { watchInWorkers } = await import("./workers.mjs");
  const reporter = new URL("./reporter.cjs", import.meta.url).pathname;
  const version = versionOf(program);
  leaveNoTrace();
  watchFrameworks();
  watchInWorkers();
  RunReporter.version = version;
  globalThis[handOver] = RunReporter;
  process.argv.splice(2, process.argv.length, ...jestArguments(process.argv.slice(2), request, { reporter, version }));
}

function versionOf(file) {
  const require = createRequire(file);
  for (const name of ["../package.json", "jest/package.json"]) {
    try {
      const { name: found, version } = require(name);
      if (found.startsWith("jest")) return version;
    } catch {}
  }
  return "";
}

function realpath(file) {
  try {
    return fs.realpathSync(file);
  } catch {
    return file;
  }
}
