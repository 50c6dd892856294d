/** Loaded by `--import` into the processes that jest runs test files in; see `workers.mjs`. */
import { watchFrameworks } from "./watch-frameworks.mjs";

// What tests start from here must not load this, too.
process.execArgv = process.execArgv.filter((word) => word !== `--import=${new URL(import.meta.url).pathname}`);
watchFrameworks();
