import { posix } from "node:path";
import type { FileReader } from "../runner/file-reader.ts";
import { type InstallPlan, type InstallStep, kept, programs, scratch, step, workspace } from "./install-plan.ts";
import { lockfileIn, type NodeManager, nodeManager } from "./node-manager.ts";
import { hasDependencies, ownScripts, readManifest, runsOwnScripts } from "./node-manifest.ts";

/** Besides manifests and lockfiles; folders by a prefix. */
const settings = /(?:^|\/)(?:package\.json|\.npmrc|\.yarnrc|\.yarnrc\.yml|pnpm-workspace\.yaml|\.pnpmfile\.c?js)$/;
const folders = /(?:^|\/)(?:patches|\.yarn\/(?:patches|plugins|releases|cache))\//;
const installed = /(?:^|\/)node_modules\//;

/**
 * How the packages of a Node project are installed: the one that owns the folder where the tests run, which is the nearest with a
 * lockfile, or the nearest with a manifest when there is no lockfile. Null when there is nothing to install.
 */
export async function planNode(files: FileReader, folder: string): Promise<InstallPlan | null> {
  const root = await ownerOf(files, folder);
  const manifest = root === null ? null : await readManifest(files, root);
  if (root === null || manifest === null || !hasDependencies(manifest)) return null;
  const manager = await nodeManager(files, root, manifest);
  const own = files.paths.filter((path) => path.startsWith(root === "" ? "" : `${root}/`) && !installed.test(path));
  const manifests = own.filter((path) => posix.basename(path) === "package.json").map((path) => posix.dirname(path));
  const read = await Promise.all(manifests.map((each) => readManifest(files, each === "." ? "" : each)));
  const ownCode = read.some((each) => each !== null && runsOwnScripts(each));
  const decisive = own.filter((path) => settings.test(path) || folders.test(path));
  return {
    manager: manager.kind.replace(/-.*/, ""),
    steps: stepsOf(manager, posix.join(workspace, root), ownCode),
    files: manager.lockfile === null ? decisive : [manager.lockfile, ...decisive],
    ownCode,
    notes: manager.lockfile === null ? ["there is no lockfile: the newest packages that fit were installed"] : [],
  };
}

async function ownerOf(files: FileReader, folder: string): Promise<string | null> {
  const paths = new Set(files.paths);
  const parts = folder === "" ? [] : folder.split("/");
  const upward = [...parts.keys(), parts.length].map((count) => parts.slice(0, count).join("/")).toReversed();
  const hasManifest = (each: string) => paths.has(posix.join(each, "package.json"));
  const locked = upward.find((each) => hasManifest(each) && lockfileIn(paths, each) !== null);
  return locked ?? upward.find(hasManifest) ?? null;
}

function stepsOf(manager: NodeManager, cwd: string, ownCode: boolean): InstallStep[] {
  const command = (argv: readonly string[], env: Readonly<Record<string, string>> = {}) => ({ argv, cwd, env });
  const { program, install, rebuild, again, env } = waysOf(manager);
  const first = step(install.slice(0, 2).join(" "), command(install, env));
  const steps = [manager.kind === "npm" && manager.lockfile === null ? forgiving(first) : first];
  if ("package" in manager) {
    const argv = ["npm", "install", "--global", "--ignore-scripts", `--prefix=${kept}/tools`, manager.package];
    steps.unshift(step(`npm install ${manager.package}`, { ...command(argv), cwd: "/" }));
  }
  const scripts = [rebuild, ...again].map((argv) => ({ ...command(argv, { ...env, ...scriptsOn }), note: null }));
  steps.push({ name: rebuild.join(" "), attempts: scripts, when: ownCode ? "always" : "scripts" });
  if (!ownCode) return steps;
  const own = ["node", `${programs}/own-scripts.mjs`, program, ...ownScripts];
  return [...steps, step("the project's own install scripts", command(own, { ...env, ...scriptsOn }))];
}

/** Without a lockfile the newest packages come, whose peers older ones may not know; versions of npm before 7 took no offence. */
function forgiving(install: InstallStep): InstallStep {
  const note = "packages were installed although what they want beside them conflicts";
  const again = install.attempts.map((each) => ({
    ...each,
    argv: [...each.argv, "--legacy-peer-deps"],
    note,
    onlyAfter: /\bERESOLVE\b/,
  }));
  return { ...install, attempts: [...install.attempts, ...again] };
}

const yarnManners = ["--non-interactive", "--no-progress", "--ignore-engines"];
const scriptsOn = { npm_config_ignore_scripts: "false", YARN_ENABLE_SCRIPTS: "true" };

/** npm runs no scripts of packages that lie there already, and `npm install` leaves them there. */
const afresh = 'rm -rf node_modules && exec "$@"';

/**
 * Without the scripts of packages first; `rebuild` runs them. `again` is for managers whose rebuilding fails with a package that is
 * optional, which an install leaves out.
 */
function waysOf({ kind, lockfile }: NodeManager) {
  const frozen = lockfile !== null;
  switch (kind) {
    case "npm":
      return {
        program: "npm",
        install: frozen
          ? ["npm", "ci", "--ignore-scripts"]
          : ["npm", "install", "--ignore-scripts", "--no-save", "--no-package-lock"],
        rebuild: ["npm", "rebuild"],
        again: [
          frozen
            ? ["npm", "ci", "--prefer-offline"]
            : ["sh", "-ec", afresh, "sh", "npm", "install", "--no-save", "--no-package-lock", "--prefer-offline"],
        ],
        env: {},
      };
    case "pnpm":
      return {
        program: "pnpm",
        install: ["pnpm", "install", "--ignore-scripts", frozen ? "--frozen-lockfile" : "--no-lockfile"],
        rebuild: ["pnpm", "rebuild"],
        again: [],
        // Another version of itself, which it would fetch; and its store, which is thrown away.
        env: { npm_config_manage_package_manager_versions: "false", npm_config_store_dir: `${scratch}/pnpm` },
      };
    case "yarn-classic":
      return {
        program: "yarn",
        install: [
          ...["yarn", "install", "--ignore-scripts", ...yarnManners],
          frozen ? "--frozen-lockfile" : "--no-lockfile",
        ],
        rebuild: ["npm", "rebuild"],
        again: [["yarn", "install", "--force", ...yarnManners, frozen ? "--frozen-lockfile" : "--no-lockfile"]],
        env: { YARN_CACHE_FOLDER: `${scratch}/yarn` },
      };
    case "yarn-berry":
      return {
        program: "yarn",
        install: ["yarn", "install", ...(frozen ? ["--immutable"] : [])],
        rebuild: ["yarn", "rebuild"],
        again: [],
        // Packages lie in node_modules, whatever the project prefers: test runners are found there, and so is their code.
        env: {
          ...{ YARN_NODE_LINKER: "node-modules", YARN_IGNORE_PATH: "1", YARN_ENABLE_TELEMETRY: "0" },
          YARN_ENABLE_IMMUTABLE_INSTALLS: String(frozen),
          ...{ YARN_ENABLE_SCRIPTS: "false", YARN_ENABLE_GLOBAL_CACHE: "true", YARN_GLOBAL_FOLDER: `${scratch}/yarn` },
        },
      };
  }
}
