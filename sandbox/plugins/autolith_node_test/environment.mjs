import fs from "node:fs";
import path from "node:path";

const { openSync, writeSync, closeSync, constants } = fs;
const reportFile = process.env.AUTOLITH_REPORT;

/** Absolute path of the workspace, as node names its files. */
export const workspace = realpath(process.env.AUTOLITH_WORKSPACE ?? "/work");

// The first process of the run, such as npm, tells the later ones when it began.
process.env.AUTOLITH_STARTED ??= String(Date.now());

/** How long it is until the run will be killed; NaN when unknown. */
export const remainingMs =
  Number(process.env.AUTOLITH_TIMEOUT_MS ?? Number.NaN) - (Date.now() - Number(process.env.AUTOLITH_STARTED));

/** False when locals were switched off. */
export const wantsLocals = process.env.AUTOLITH_LOCALS !== "0";

/** True when it is asked which files' functions run. */
export const wantsReach = process.env.AUTOLITH_REACH === "1";

/** The report's path, for the thread that cannot read this process's environment any more. */
export const report = reportFile;

/**
 * Appends one record to the report. A failed write is forgotten: the missing closing record tells that the report is
 * not whole. The file is opened anew each time, because tests may close or replace descriptors; the functions were
 * taken before any test ran.
 */
export function writeRecord(record, file = reportFile) {
  if (file === undefined) return;
  try {
    const descriptor = openSync(file, constants.O_WRONLY | constants.O_APPEND);
    try {
      writeSync(descriptor, `${stringify(record)}\n`);
    } finally {
      closeSync(descriptor);
    }
  } catch {}
}

/**
 * Takes our variables out of the environment of a process that runs tests: a `node --test` that a test starts is not
 * the one that reports.
 */
export function leaveNoTrace() {
  const { env } = process;
  const ours = env.AUTOLITH_NODE_OPTIONS;
  if (ours !== undefined && env.NODE_OPTIONS !== undefined) {
    const others = env.NODE_OPTIONS.replace(ours, "").trim();
    if (others === "") delete env.NODE_OPTIONS;
    else env.NODE_OPTIONS = others;
  }
  for (const name of Object.keys(env)) if (name.startsWith("AUTOLITH_")) delete env[name];
}

/** A file of the workspace as a path relative to it; any other path as it is. */
export function relative(file) {
  return file.startsWith(`${workspace}/`) ? file.slice(workspace.length + 1) : file;
}

/** True for files of the workspace that are not installed packages. */
export function isOwn(file) {
  return file.startsWith(`${workspace}/`) && !file.includes("/node_modules/");
}

const { stringify } = JSON;

function realpath(folder) {
  try {
    return fs.realpathSync(path.resolve(folder));
  } catch {
    return folder;
  }
}
