import { posix } from "node:path";
import type { ShellWord } from "./shell-words.ts";
import type { WorkspacePackage } from "./workspace-packages.ts";

/** A call that runs one script in several packages of a workspace. */
export interface WorkspaceCall {
  readonly script: string;
  /** What the script gets. */
  readonly args: readonly ShellWord[];
  /** Names, patterns of names, and paths of packages; null for all of them. */
  readonly selectors: readonly string[] | null;
  /** Whether a package without the script is passed over, and does not fail. */
  readonly passesOver: boolean;
  /** A tool that may run other scripts before, as its own configuration says. */
  readonly tool: "turbo" | "nx" | null;
}

interface Form {
  /** Options that choose packages, with the value behind them or behind `=`. */
  readonly selects: RegExp;
  /** Options that choose all packages. */
  readonly all?: RegExp;
  /** Other options that leave alone what runs; those with a value have it behind `=`, or are numbers. */
  readonly harmless: RegExp;
  /** Options that name the script. */
  readonly names?: RegExp;
}

const forms: Readonly<Record<string, Form>> = {
  npm: {
    selects: /^(?:-w|--workspace)$/,
    all: /^(?:-ws|--workspaces)$/,
    harmless: /^(?:--if-present|-s|--silent|--foreground-scripts|--no-audit|--no-fund|--loglevel=.*)$/,
  },
  pnpm: {
    selects: /^(?:-F|--filter)$/,
    all: /^(?:-r|--recursive)$/,
    harmless:
      /^(?:--if-present|-s|--silent|--parallel|--stream|--(?:no-)?bail|--aggregate-output|--workspace-concurrency|--no-sort|--(?:workspace-concurrency|reporter|loglevel)=.*)$/,
  },
  yarn: {
    selects: /^--include$/,
    harmless: /^(?:-[Apvit]+|--all|--parallel|--verbose|--interlaced|--topological|--topological-dev|-j|--jobs)$/,
  },
  lerna: {
    selects: /^--scope$/,
    harmless: /^--(?:stream|no-bail|parallel|no-prefix|concurrency|no-sort|no-progress|concurrency=.*|loglevel=.*)$/,
  },
  turbo: {
    selects: /^(?:-F|--filter)$/,
    harmless:
      /^--(?:concurrency|no-cache|force|continue|no-daemon|no-update-notifier|(?:concurrency|continue|cache|output-logs|log-order|log-prefix|ui|env-mode|cache-dir|summarize)=.*)$/,
  },
  nx: {
    selects: /^(?:-p|--projects)$/,
    names: /^(?:-t|--targets?)$/,
    harmless:
      /^--(?:all|skip-nx-cache|no-cloud|verbose|parallel|nxBail|(?:parallel|output-style|outputStyle|verbose)=.*)$/,
  },
};

/** Reads `npm test --workspaces`, `pnpm -r test`, `turbo run test` and their like; null for what is not surely one. */
export function workspaceCall(words: readonly ShellWord[]): WorkspaceCall | null {
  const texts = words.map(({ value }) => value);
  if (texts.some((text) => text === null)) return null;
  const [program = "", ...rest] = texts.map(String);
  const tool = program.split("/").at(-1) ?? "";
  const form = Object.hasOwn(forms, tool) ? forms[tool] : undefined;
  const verbs = verbsOf(tool, rest);
  if (form === undefined || verbs === null) return null;
  const read = readOptions(rest.slice(verbs), form, tool === "pnpm" || tool === "yarn");
  const script = read?.script ?? null;
  if (read === null || script === null || (!read.all && read.selectors.length === 0 && needsChoice(tool))) return null;
  return {
    script: shortNames[script] ?? script,
    args: words.slice(words.length - read.args),
    selectors: read.selectors.length === 0 ? null : read.selectors,
    passesOver: tool !== "npm" || rest.includes("--if-present"),
    tool: tool === "turbo" || tool === "nx" ? tool : tool === "lerna" ? "nx" : null,
  };
}

const shortNames: Readonly<Record<string, string>> = { t: "test", tst: "test" };

/** The packages that a call means; null when a selector is not surely understood, or names none. */
export function selected(
  { selectors }: WorkspaceCall,
  packages: readonly WorkspacePackage[],
  folder: string,
): readonly WorkspacePackage[] | null {
  if (selectors === null) return packages;
  const chosen = new Set<WorkspacePackage>();
  for (const selector of selectors) {
    // Ranges of the graph and of history, exclusions: what they mean is the tool's own affair.
    if (/\.\.\.|[[\]{}^!]/.test(selector)) return null;
    const path = posix.join(folder, selector).replace(/\/$/, "");
    const found = packages.filter(
      (each) =>
        each.name === selector ||
        each.folder === path ||
        each.folder.startsWith(`${path}/`) ||
        posix.matchesGlob(
          selector.startsWith("./") ? each.folder : each.name,
          selector.startsWith("./") ? path : selector,
        ),
    );
    if (found.length === 0) return null;
    for (const each of found) chosen.add(each);
  }
  return packages.filter((each) => chosen.has(each));
}

/** How many words name the action; null when it is another one. */
function verbsOf(tool: string, words: readonly string[]): number | null {
  const [first, second] = words;
  if (tool === "yarn") return first === "workspaces" && (second === "run" || second === "foreach") ? 2 : null;
  if (tool === "nx") return first === "run-many" ? 1 : null;
  if (tool === "lerna") return first === "run" ? 1 : null;
  return tool === "turbo" && first === "run" ? 1 : 0;
}

/** Without a choice of packages these run the script of one. */
function needsChoice(tool: string): boolean {
  return tool === "npm" || tool === "pnpm";
}

interface Options {
  readonly script: string | null;
  readonly selectors: readonly string[];
  readonly all: boolean;
  /** How many words at the end are the script's. */
  readonly args: number;
}

function readOptions(words: readonly string[], form: Form, takesRest: boolean): Options | null {
  const selectors: string[] = [];
  let script: string | null = null;
  let all = false;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    const [name = "", given] = word.split(/=(.*)/s, 2);
    const isNumber = /^\d+$/.test(word);
    if (word === "--") return { script, selectors, all, args: words.length - at - 1 };
    if (form.selects.test(name) || form.names?.test(name) === true) {
      const value = given ?? words[at + 1] ?? "";
      if (given === undefined) at += 1;
      if (form.selects.test(name)) selectors.push(...value.split(","));
      else script = value;
    } else if (form.all?.test(word) === true) all = true;
    else if (word.startsWith("-") || isNumber) {
      if (!isNumber && !form.harmless.test(word)) return null;
    } else if (script !== null) return null;
    else if (!/^(?:run|run-script)$/.test(word)) {
      script = word;
      if (takesRest) return { script, selectors, all, args: words.length - at - 1 };
    }
  }
  return { script, selectors, all, args: 0 };
}
