import { preloadRequest } from "./preload-request.ts";
import { readReport } from "./read-report.ts";
import type { Runner } from "./runner.ts";

/**
 * mocha 9 and later, in the repository's own version, with its own configuration and reporter. Chosen tests are taken by
 * our plugin from what mocha has loaded: full names, which `--grep` sees, may be the same for several tests.
 */
export const mocha: Runner = {
  name: "mocha",
  request: (command, options) => preloadRequest(command, options, "autolith_mocha"),
  read: readReport,
};
