import { preloadRequest } from "./preload-request.ts";
import { readReport } from "./read-report.ts";
import type { Runner } from "./runner.ts";

/** vitest 1 and later, in the repository's own version and with its own configuration, our reporter beside the command's. */
export const vitest: Runner = {
  name: "vitest",
  request: (command, options) => preloadRequest(command, options, "autolith_vitest"),
  read: readReport,
};
