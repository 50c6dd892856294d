import { closeSync, openSync } from "node:fs";

/** Tells the supervisor that the driver cannot go on. */
export const channelLost = 97;

const exit = process.reallyExit.bind(process);

/**
 * Connects descriptors 1 and 2 to other files. Node has no `dup2`, but the system gives the lowest free number to what is
 * opened next. Should another thread have taken it in between, nothing can be trusted any more, and the process ends.
 */
export function switchOutput(paths) {
  for (const [index, path] of paths.entries()) {
    try {
      closeSync(index + 1);
    } catch {
      // User code closed it already.
    }
    if (openSync(path, "w") !== index + 1) exit(channelLost);
  }
}

/** Lets a process end without a word from its inspector, which would wait for the session of the driver's own worker. */
export function endQuietly() {
  process.reallyExit = (code) => {
    switchOutput(["/dev/null", "/dev/null"]);
    exit(code);
  };
}
