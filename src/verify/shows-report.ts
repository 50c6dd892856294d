import { isTestConfigurationPath, isTestPath } from "../checkout/test-path.ts";
import type { TestCase } from "../runner/report.ts";
import type { ExceptionReport, Frame } from "../sandbox/sandbox.ts";
import { trivialFailure } from "./trivial-failure.ts";

/** A new test file, as it was taken out of the workspace. */
export interface TestFile {
  readonly path: string;
  readonly text: string;
}

const workspace = "/work/";
const installed = /\/(?:site-packages|dist-packages|node_modules)\//;

/** Failures that are a fault of the code in which they are raised. */
const ownFaults =
  /^(?:NameError|UnboundLocalError|ImportError|ModuleNotFoundError|SyntaxError|IndentationError|TabError|ReferenceError|FileNotFoundError)$/;
const ownFaultMessages = /\bENOENT\b|Cannot find (?:module|package)|^fixture '.*' not found/;

/** Code that runs the project in another process, where nobody sees what it reaches. */
const startsProcesses =
  /\b(?:subprocess|child_process|multiprocessing|worker_threads|execa|pexpect|os\.system|os\.popen)\b/;

/**
 * Why a test that fails does not show anything about the project, in words for the model; null when it may. What remains to be
 * judged by the proof alone is whether the failure is the one that was reported.
 */
export function whyItShowsNothing(test: TestCase, file: TestFile): string | null {
  const { exception } = test;
  if (test.status === "error") return "its set-up, tear-down or collection failed, and not its body";
  if (exception === null) return "it failed without an exception, so it cannot be told where; throw a real error";
  const own = ownFrames(exception);
  const inTest = own.findLast((frame) => relative(frame) === file.path);
  if (inTest === undefined) return `it did not fail in a line that ${file.path} runs`;
  if (own.at(-1) === inTest) {
    const fault = faultOf(exception, inTest, file);
    if (fault !== null) return fault;
  }
  const reached = own.some((frame) => isProjectFile(relative(frame))) || reachesProject(test, file);
  return reached
    ? null
    : "it ran no function of the project; call the code that the report is about, and check what it gives";
}

/** The failing line is the test's own: something in the test itself may be wrong. */
function faultOf(exception: ExceptionReport, frame: Frame, file: TestFile): string | null {
  if (ownFaults.test(exception.type) || ownFaultMessages.test(exception.message)) {
    return `its own line ${frame.line} raises ${exception.type}: ${exception.message.slice(0, 300)}; that is a fault of the test, and not what was reported`;
  }
  const trivial = trivialFailure(file.path, file.text, frame.line);
  return trivial === null ? null : `line ${frame.line} fails by itself: ${trivial}`;
}

function reachesProject({ reached }: TestCase, file: TestFile): boolean {
  // Not every runner can tell.
  if (reached === undefined) return true;
  return reached.some(isProjectFile) || startsProcesses.test(file.text);
}

function isProjectFile(path: string): boolean {
  return !isTestPath(path) && !isTestConfigurationPath(path);
}

function ownFrames({ frames }: ExceptionReport): Frame[] {
  return frames.filter(({ file }) => file.startsWith(workspace) && !installed.test(file));
}

function relative({ file }: Pick<Frame, "file">): string {
  return file.slice(workspace.length);
}
