import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";

const longestFile = 4 * 1024 * 1024;
const longestLine = 500;
const keptExecutions = 1_000;
const executions = new Map();

/** Keeps the code of an execution, for frames that point into it later. */
export function rememberSource(file, code) {
  executions.set(file, code.split("\n"));
  if (executions.size > keptExecutions) executions.delete(executions.keys().next().value);
}

/** The trimmed source line; empty when it cannot be read. */
export function sourceLine(file, line) {
  const lines = executions.get(file) ?? fileLines(file);
  return (lines[line - 1] ?? "").trim().slice(0, longestLine);
}

/** Any path may stand in a stack: only a regular file is read, without waiting. */
function fileLines(file) {
  if (!file.startsWith("/")) return [];
  try {
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    try {
      const status = fstatSync(descriptor);
      if (!status.isFile() || status.size > longestFile) return [];
      return readFileSync(descriptor, "utf8").split("\n");
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return [];
  }
}
