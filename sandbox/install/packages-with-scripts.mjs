// Prints the names of installed packages that have scripts of their own for being installed, one a line. Works for every
// package manager that uses node_modules.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const names = new Set();
const pending = [process.argv[2] ?? "."];
while (pending.length > 0) {
  const folder = pending.pop();
  for (const entry of entriesOf(folder)) {
    if (!entry.isDirectory() || entry.name === ".git" || entry.name === ".autolith") continue;
    const path = join(folder, entry.name);
    pending.push(path);
    if (isPackage(folder)) look(path);
  }
}
process.stdout.write([...names].map((name) => `${name}\n`).join(""));

function isPackage(folder) {
  return /(?:^|\/)node_modules(?:\/@[^/]+)?$/.test(folder);
}

function look(path) {
  try {
    const { name, scripts = {}, gypfile } = JSON.parse(readFileSync(join(path, "package.json"), "utf8"));
    const has = ["preinstall", "install", "postinstall"].some((each) => typeof scripts[each] === "string");
    if (has || (gypfile !== false && existsSync(join(path, "binding.gyp")))) names.add(String(name));
  } catch {
    // No package, or not one that npm could read.
  }
}

function entriesOf(folder) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
