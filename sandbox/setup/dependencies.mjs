// Plain JavaScript for Node 18 and later, with nothing but Node's own modules: it runs before anything is installed.
import { execFile } from "node:child_process";
import { realpathSync } from "node:fs";
import { copyFile, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { withLock } from "./lock.mjs";

const run = promisify(execFile);
const NEEDED_NODE = 24;
const INSTALL_TIMEOUT_MS = 900_000;

/** Something that whoever runs this has to put right; the message is all that they need. */
export class SetupProblem extends Error {}

/**
 * Brings `node_modules` in line with `package-lock.json` where it is not, with one line on standard error, and gives the path
 * of a Node that can run this project. With `development: false`, missing development packages do not count.
 *
 * @param {string} root the folder of package.json
 * @param {{ development?: boolean }} [options]
 * @returns {Promise<string>}
 */
export async function ensureDependencies(root, { development = true } = {}) {
  if (!(await isInstalled(root, development))) {
    await withLock(join(root, ".autolith", "install.lock"), async () => {
      if (!(await isInstalled(root, development))) await install(root);
    });
  }
  return neededNode(root);
}

/**
 * Whether the installed tree is the locked one, by npm's own record of what it installed. Optional packages may be missing,
 * since each platform has its own.
 *
 * @param {string} root
 * @param {boolean} development
 */
async function isInstalled(root, development) {
  const locked = await readPackages(join(root, "package-lock.json"));
  // Installed as a package of something else, there is no lockfile and nothing for us to do.
  if (locked === undefined) return true;
  const installed = (await readPackages(join(root, "node_modules", ".package-lock.json"))) ?? {};
  return Object.entries(locked).every(([path, wanted]) => {
    const found = installed[path];
    if (path === "" || wanted.link) return true;
    if (found !== undefined) return found.version === wanted.version && found.integrity === wanted.integrity;
    return wanted.optional === true || (!development && (wanted.dev === true || wanted.devOptional === true));
  });
}

async function readPackages(path) {
  try {
    return JSON.parse(await readFile(path, "utf8")).packages;
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}

async function install(root) {
  process.stderr.write("setup: installing the packages of package-lock.json\n");
  await npmCi(root, process.env.PATH ?? "");
  if (majorOf(process.versions.node) >= 20) return;
  // npm leaves out optional packages whose `engines` exclude the Node that it runs on: once more, on the Node just installed.
  const folder = await mkdtemp(join(tmpdir(), "autolith-node-"));
  try {
    await copyFile(await neededNode(root), join(folder, "node"));
    await npmCi(root, `${folder}${delimiter}${process.env.PATH ?? ""}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** No package here needs an install script, and those of the SSH transport would ask for a compiler. */
async function npmCi(root, path) {
  const ownBin = join(root, "node_modules", ".bin");
  // npm deletes node_modules first, so it must not run on the Node in there.
  const PATH = path
    .split(delimiter)
    .filter((folder) => folder !== ownBin)
    .join(delimiter);
  const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  try {
    await run("npm", args, {
      cwd: root,
      env: { ...process.env, PATH },
      timeout: INSTALL_TIMEOUT_MS,
      maxBuffer: 1 << 26,
    });
  } catch (error) {
    if (error.code === "ENOENT") throw new SetupProblem("npm is missing: install it beside Node");
    throw new SetupProblem(`npm ci failed:\n${error.stderr || error.message}`);
  }
}

/** A Node of the needed version: the running one, else the one that the locked packages bring. */
async function neededNode(root) {
  if (majorOf(process.versions.node) >= NEEDED_NODE) return process.execPath;
  const brought = join("node_modules", `node-${process.platform}-${process.arch}`, "bin", "node");
  try {
    const { stdout } = await run(join(root, brought), ["--version"]);
    if (majorOf(stdout.slice(1)) >= NEEDED_NODE) return await onScriptPath(root, brought);
  } catch (error) {
    if (error.code !== "ENOENT" && error.code !== "EACCES") throw error;
  }
  throw new SetupProblem(
    `Node ${NEEDED_NODE} or later is needed, this is ${process.versions.node}, ` +
      `and the packages bring none that runs on ${process.platform} ${process.arch}: install Node ${NEEDED_NODE} and try again`,
  );
}

/** npm 10 does not link the program of an optional package into the folder where package scripts look first. */
async function onScriptPath(root, program) {
  const link = join(root, "node_modules", ".bin", "node");
  try {
    await symlink(relative(dirname(link), join(root, program)), link);
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
  return link;
}

function majorOf(version) {
  return Number.parseInt(version, 10);
}

/** Whether this file was started as a program, and not imported. */
function isMain() {
  return process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url);
}

if (isMain()) {
  try {
    await ensureDependencies(fileURLToPath(new URL("../../", import.meta.url)));
  } catch (error) {
    if (!(error instanceof SetupProblem)) throw error;
    process.stderr.write(`setup: ${error.message}\n`);
    process.exitCode = 3;
  }
}
