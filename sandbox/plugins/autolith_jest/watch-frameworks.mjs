import Module from "node:module";
import path from "node:path";
import { WatchedFile } from "./watched-file.mjs";

/** What runs the tests of a file: jest-circus, and up to jest 26 jasmine. */
const framework =
  /(?:^|[\\/])(?:jest-circus[\\/](?:build[\\/])?runner|jest-jasmine2(?:[\\/]build[\\/]index)?)(?:\.js)?$/;

/** Watches every test file that a framework runs in this process, and adds what was seen to jest's result of the file. */
export function watchFrameworks() {
  const load = Module._load;
  Module._load = function (name, ...others) {
    const loaded = load.call(this, name, ...others);
    return framework.test(name) ? watched(loaded, name) : loaded;
  };
}

function watched(loaded, name) {
  if (typeof loaded === "function") {
    const jasmine = name.includes("jasmine2") ? path.join(path.dirname(name), "jasmine/jasmineLight.js") : null;
    return new Proxy(loaded, { apply: (run, self, args) => watchFile(run.bind(self, ...args), args, jasmine) });
  }
  if (typeof loaded?.default !== "function") return loaded;
  return new Proxy(loaded, { get: (all, key) => (key === "default" ? watched(all.default, name) : all[key]) });
}

/** No function of ours may call what runs the file, or wait for it: it would stand in the stacks that jest prints. */
function watchFile(run, [, , environment, runtime, path], jasmine) {
  const file = new WatchedFile(environment, path);
  if (jasmine !== null) file.watchJasmine(runtime, jasmine);
  return Promise.resolve()
    .then(run)
    .then((result) => file.addTo(result))
    .finally(() => file.close());
}
