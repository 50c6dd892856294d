import { hash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { registerHooks } from "node:module";
import { relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const loaded = new Map();
const importer = new URL("./imports.mjs", import.meta.url).href;
let root = "";

/**
 * Takes note of every workspace file that is loaded as a module, with the hash of what was loaded. What executions import is
 * looked up from the workspace.
 */
export function watchModules(workspace) {
  root = workspace;
  const parentURL = pathToFileURL(`${workspace}/execution.mjs`).href;
  registerHooks({
    resolve(specifier, context, nextResolve) {
      return nextResolve(specifier, context.parentURL === importer ? { ...context, parentURL } : context);
    },
    load(url, context, nextLoad) {
      const file = url.startsWith("file:") ? fileURLToPath(url) : "";
      if (file.startsWith(`${workspace}/`) && !file.includes("/node_modules/")) {
        loaded.set(file, { stamp: stamp(file), digest: digest(file) });
      }
      return nextLoad(url, context);
    },
  });
}

/** Loaded files whose content has changed since, relative to the workspace, sorted. */
export function staleFiles() {
  const stale = [];
  for (const [file, then] of loaded) {
    const now = stamp(file);
    if (now === then.stamp) continue;
    if (digest(file) === then.digest) then.stamp = now;
    else stale.push(relative(root, file));
  }
  return stale.sort();
}

/** What changes with a file's content at the least; nobody can set the change time. */
function stamp(file) {
  const status = statSync(file, { bigint: true, throwIfNoEntry: false });
  return status && `${status.ino} ${status.size} ${status.mtimeNs} ${status.ctimeNs}`;
}

function digest(file) {
  try {
    return statSync(file).isFile() ? hash("sha1", readFileSync(file)) : "";
  } catch {
    return "";
  }
}
