/**
 * Loaded by `--import` into every node process of a test run. In the one that runs mocha it watches mocha's run, whatever
 * reporter was chosen; in any other process it does nothing. Mocha is found when it is loaded, because it may be started
 * in many ways: by its program, by a child of that, below nyc, with a compiler in front.
 */
import Module from "node:module";
import { isMainThread } from "node:worker_threads";
import { report } from "../autolith_node_test/environment.mjs";
import { watchMocha } from "./watch-mocha.mjs";

if (isMainThread && report !== undefined) {
  const load = Module._load;
  Module._load = function (name, ...others) {
    const loaded = load.call(this, name, ...others);
    if (isMocha(name, loaded)) watchMocha(loaded);
    return loaded;
  };
}

/** True for the class that mocha's own `lib/mocha.js` is, which is CommonJS in every version so far. */
function isMocha(name, loaded) {
  return (
    /(?:^|[\\/])mocha(?:\.c?js)?$/.test(name) &&
    typeof loaded === "function" &&
    typeof loaded.prototype?.run === "function" &&
    typeof loaded.prototype.loadFilesAsync === "function"
  );
}
