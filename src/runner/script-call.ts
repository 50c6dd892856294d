import { posix } from "node:path";
import { type FileReader, readPackage } from "./file-reader.ts";
import type { ShellWord } from "./shell-words.ts";

/** A package script as a command. */
export interface ScriptCall {
  readonly script: string;
  /** The folder of the package, relative to the workspace; `""` for its root. */
  readonly folder: string;
  /** The script's text with the call's arguments, and with its `pre` and `post` scripts around it. */
  readonly shell: string;
  readonly env: Readonly<Record<string, string>>;
}

type Manager = "npm" | "pnpm" | "yarn" | "bun" | "node";

const shortNames: Readonly<Record<string, string>> = { t: "test", tst: "test" };
const lifecycle = new Set(["test", "start", "stop", "restart"]);
const runNames = new Set(["run", "run-script", "rum", "urn"]);
const folderOptions = new Set(["--prefix", "-C", "--dir", "--cwd"]);
const packageOptions: Readonly<Record<Manager, RegExp>> = {
  npm: /^(?:-w|--workspace)$/,
  pnpm: /^(?:-F|--filter)$/,
  bun: /^(?:-F|--filter)$/,
  yarn: /^$/,
  node: /^$/,
};
/** Options that change which scripts run: more than one package, or none when there is no such script. */
const manyPackages = /^(?:-r|--recursive|-ws|--workspaces|--parallel)$/;

/**
 * Reads `npm test`, `yarn workspace web run check --fast` and their like; null for any other command, or an unknown
 * script.
 */
export async function scriptCall(
  words: readonly ShellWord[],
  folder: string,
  files: FileReader,
): Promise<ScriptCall | null> {
  const manager = words[0]?.value;
  if (!isManager(manager)) return null;
  const call = manager === "node" ? nodeRun(words.slice(1)) : managerCall(words.slice(1), manager);
  if (call === null) return null;
  const own = call.folder === undefined ? folder : posix.join(folder, call.folder);
  const inside = call.package === undefined ? own : await packageFolder(call.package, own, files);
  const manifest = inside === null ? null : await readPackage(files, inside);
  const text = manifest?.scripts[call.script];
  if (inside === null || manifest === null || text === undefined) return null;
  const main = call.args.length === 0 ? text : `${text} ${call.args.map(({ raw }) => raw).join(" ")}`;
  const { [`pre${call.script}`]: before, [`post${call.script}`]: after } = manager === "node" ? {} : manifest.scripts;
  const around = [before, main, after].filter((each) => each !== undefined);
  return {
    script: call.script,
    folder: inside,
    shell: around.length === 1 ? main : around.map(grouped).join(" && "),
    env: {
      npm_lifecycle_event: call.script,
      ...(manifest.name !== undefined && { npm_package_name: manifest.name }),
      ...(manifest.version !== undefined && { npm_package_version: manifest.version }),
    },
  };
}

interface Options {
  readonly folder?: string | undefined;
  readonly package?: string | undefined;
  /** True when the scripts of more than one package run. */
  readonly many?: boolean;
}

interface Call extends Options {
  readonly script: string;
  readonly args: readonly ShellWord[];
}

function managerCall(words: readonly ShellWord[], manager: Manager): Call | null {
  const [before, rest] = optionsOf(words, manager);
  const command = textOf(rest[0]);
  const isRun = runNames.has(command);
  if (!isRun && manager === "npm" && !lifecycle.has(shortNames[command] ?? command)) return null;
  const [between, named] = optionsOf(rest.slice(isRun ? 1 : 0), manager === "yarn" ? "node" : manager);
  const script = textOf(named[0]);
  const [behind, args] = workspaceIn(named.slice(1), manager);
  const given = [before, between, behind];
  const options = { ...before, ...between, ...behind };
  const packages = given.filter((each) => each.package !== undefined);
  if (script === "" || packages.length > 1 || given.some(({ many }) => many === true)) return null;
  return { ...options, script: isRun ? script : (shortNames[script] ?? script), args: passedOn(args, manager) };
}

/** Options in front of a command's name, and the words from that name on. */
function optionsOf(words: readonly ShellWord[], manager: Manager): [Options, readonly ShellWord[]] {
  let options: Options = {};
  let at = 0;
  while (at < words.length) {
    const [name = "", given] = textOf(words[at]).split("=", 2);
    const next = given ?? textOf(words[at + 1]);
    const takesNext = given === undefined ? 2 : 1;
    if (manager === "yarn" && name === "workspace") {
      options = { ...options, package: next };
      at += 2;
    } else if (!name.startsWith("-")) break;
    else if (folderOptions.has(name)) {
      options = { ...options, folder: next };
      at += takesNext;
    } else if (packageOptions[manager].test(name)) {
      options = { ...options, package: next, many: options.many === true || options.package !== undefined };
      at += takesNext;
    } else {
      options = { ...options, many: options.many === true || manyPackages.test(name) };
      at += 1;
    }
  }
  return [options, words.slice(at)];
}

/** npm takes its workspace option behind the script's name, too. */
function workspaceIn(words: readonly ShellWord[], manager: Manager): [Options, readonly ShellWord[]] {
  const dashes = words.findIndex(({ raw }) => raw === "--");
  const own = manager === "npm" ? words.slice(0, dashes === -1 ? words.length : dashes) : [];
  const chooses = own.map(({ raw }) => /^(?:-w|--workspace(?:=.*)?|-ws|--workspaces)$/.test(raw));
  const at = chooses.indexOf(true);
  if (at === -1) return [{}, words];
  const [options] = optionsOf(words.slice(at, at + 2), manager);
  const isOne = chooses.lastIndexOf(true) === at && options.many !== true;
  return [{ ...options, many: !isOne }, words.toSpliced(at, textOf(words[at]).includes("=") ? 1 : 2)];
}

/** What reaches the script: npm keeps options before `--` for itself, the others hand everything on. */
function passedOn(words: readonly ShellWord[], manager: Manager): ShellWord[] {
  const dashes = words.findIndex(({ value }) => value === "--");
  const before = dashes === -1 ? words : words.slice(0, dashes);
  const behind = dashes === -1 ? [] : words.slice(dashes + 1);
  return [...(manager === "npm" ? before.filter(({ raw }) => !raw.startsWith("-")) : before), ...behind];
}

/** `node --run test -- args`, which knows no `pre` and `post` scripts. */
function nodeRun(words: readonly ShellWord[]): Call | null {
  const [option, given] = textOf(words[0]).split("=", 2);
  const script = given ?? textOf(words[1]);
  if (option !== "--run" || script === "") return null;
  return { script, args: passedOn(words.slice(given === undefined ? 2 : 1), "npm") };
}

function textOf(word: ShellWord | undefined): string {
  return word?.value ?? word?.raw ?? "";
}

/** The folder of a package of the workspace, by its path or its name. */
async function packageFolder(name: string, folder: string, files: FileReader): Promise<string | null> {
  const path = posix.join(folder, name);
  if (files.paths.includes(`${path}/package.json`)) return path;
  const manifests = files.paths.filter(
    (each) => /(?:^|\/)package\.json$/.test(each) && !each.includes("node_modules/"),
  );
  for (const manifest of manifests.slice(0, 200)) {
    const candidate = posix.dirname(manifest) === "." ? "" : posix.dirname(manifest);
    if ((await readPackage(files, candidate))?.name === name) return candidate;
  }
  return null;
}

function isManager(name: string | null | undefined): name is Manager {
  return name === "npm" || name === "pnpm" || name === "yarn" || name === "bun" || name === "node";
}

/** A list such as `a; b` or `a || b` must stay one command among others. */
function grouped(shell: string): string {
  return /[;|\n]|&$|#/.test(shell) ? `{ ${shell}\n}` : shell;
}
