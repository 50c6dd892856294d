/** Which of the workspace's functions run in a test file's process. Only the files are told, and only where somebody asked. */
import { Session } from "node:inspector";
import { isOwn, relative, writeRecord } from "./environment.mjs";
import { pathOf } from "./failure.mjs";

const maxFiles = 50;

/** Counts calls from now on, and writes what was called when the process ends. */
export function recordReach(file) {
  const session = new Session();
  session.connect();
  session.post("Profiler.enable");
  session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  process.on("exit", () => {
    session.post("Profiler.takePreciseCoverage", (error, answer) => {
      if (error === null) writeRecord({ kind: "reach", file, reached: reachedIn(answer.result) });
    });
  });
}

/** The first function of a script is the script itself, which runs on import. */
function reachedIn(scripts) {
  const called = scripts.filter(({ functions }) => functions.slice(1).some(({ ranges }) => ranges[0]?.count > 0));
  const paths = called.map(({ url }) => pathOf(url)).filter(isOwn);
  return [...new Set(paths.map(relative))].sort().slice(0, maxFiles);
}
