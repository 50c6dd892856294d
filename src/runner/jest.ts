import { preloadRequest } from "./preload-request.ts";
import { readReport } from "./read-report.ts";
import type { Runner } from "./runner.ts";

/** jest 26 and later, in the repository's own version and with its own configuration, our reporter beside the command's. */
export const jest: Runner = {
  name: "jest",
  request: (command, options) => preloadRequest(command, options, "autolith_jest"),
  read: readReport,
};
