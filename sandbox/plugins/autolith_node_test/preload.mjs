/**
 * Loaded by `--import` into every node process of a test run. In a process that runs a test file it removes our
 * variables, so that programs started by tests do not see them, records an error that ends the process, and starts the
 * reading of locals. In any other process (npm, a compiler, the runner that only starts others) it does nothing.
 */
import path from "node:path";
import { isMainThread } from "node:worker_threads";
import { leaveNoTrace, relative, remainingMs, report, wantsLocals, wantsReach, writeRecord } from "./environment.mjs";
import { exceptionOf } from "./failure.mjs";

const isTestFile = process.env.NODE_TEST_CONTEXT !== undefined;
const runsFilesItself =
  process.execArgv.includes("--test") && /-test-isolation[= ]none/.test(process.execArgv.join(" "));

if (isMainThread && report !== undefined && (isTestFile || runsFilesItself)) {
  const file = isTestFile ? relative(path.resolve(process.argv[1] ?? "")) : "";
  leaveNoTrace();
  process.on("uncaughtExceptionMonitor", (error) => {
    writeRecord({
      kind: "crash",
      file,
      exception: exceptionOf(error) ?? { type: typeof error, message: String(error), frames: [] },
    });
  });
  if (wantsReach) {
    const { recordReach } = await import("./reach.mjs");
    recordReach(file);
  }
  if (wantsLocals) {
    const { readLocals } = await import("./locals.mjs");
    await readLocals({ file, remainingMs });
  }
}
