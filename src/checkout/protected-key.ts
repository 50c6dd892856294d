import { isDeepStrictEqual } from "node:util";
import { parse as parseToml } from "smol-toml";
import { baseName, foldPath } from "./fold-path.ts";
import { iniSections } from "./ini-sections.ts";
import { maskCode } from "./mask-code.ts";

/** A setting that steers the tests, inside a file whose other settings may change. */
export interface KeyChange {
  /** The setting, as a person would name it; null when the file cannot be read any more. */
  readonly key: string | null;
  /** 1-based in the new file; 0 when it is gone. */
  readonly line: number;
}

/** The settings of one file that steer the tests, by name; null when the file cannot be read. */
type ReadKeys = (text: string) => ReadonlyMap<string, unknown> | null;

interface KeyedFile {
  /** Of the file, folded to lower case. */
  readonly name: RegExp;
  readonly read: ReadKeys;
  /** Whether a line of the file is where a key is set. */
  readonly isLineOf: (line: string, key: string) => boolean;
}

const packageKeys = ["scripts", "jest", "vitest", "mocha", "ava", "c8", "nyc", "tap"];
const tomlTestTool = /^(pytest|coverage|tox|nox)/;
/** Of tools that do more than run tests, what names commands. */
const tomlCommands: Readonly<Record<string, string>> = {
  hatch: "envs",
  poe: "tasks",
  pdm: "scripts",
  taskipy: "tasks",
};
const iniSection = /^(tool:pytest|pytest|coverage:.*|tox|tox:.*|testenv.*|nosetests|aliases)$/i;

const keyedFiles: readonly KeyedFile[] = [
  {
    name: /^package\.json$/,
    read: packageSettings,
    isLineOf: (line, key) => line.includes(JSON.stringify(key)),
  },
  {
    name: /^pyproject\.toml$/,
    read: projectSettings,
    isLineOf: (line, key) => line.includes(key) || line.includes(key.replace(/^tool\./, "")),
  },
  {
    name: /^setup\.cfg$/,
    read: settingsOfSections,
    isLineOf: (line, key) => line.includes(`[${key}]`),
  },
  {
    name: /^vite\.config\.[cm]?[jt]s$/,
    read: viteSettings,
    isLineOf: (line, key) => line.includes(`${key}:`),
  },
];

/**
 * The settings for tests that differ between two versions of a `package.json`, `pyproject.toml`, `setup.cfg` or Vite
 * configuration, wherever it lies; null stands for a version that does not exist. Empty for every other file.
 */
export function changedKeys(path: string, before: string | null, after: string | null): KeyChange[] {
  const name = baseName(foldPath(path));
  const file = keyedFiles.find((each) => each.name.test(name));
  if (file === undefined) return [];
  const old = before === null ? new Map<string, unknown>() : file.read(before);
  const now = after === null ? new Map<string, unknown>() : file.read(after);
  if (now === null || old === null) return now === null ? [{ key: null, line: 0 }] : unreadBefore(now);
  const keys = new Set([...old.keys(), ...now.keys()]);
  const changed = [...keys].filter((key) => !isSame(old.get(key), now.get(key)));
  const lines = (after ?? "").split("\n");
  return changed.map((key) => ({ key, line: lines.findIndex((line) => file.isLineOf(line, key)) + 1 }));
}

/** Values that are nested too deep to compare count as different. */
function isSame(a: unknown, b: unknown): boolean {
  return readOrNull(() => isDeepStrictEqual(a, b)) ?? false;
}

/** A repair may mend a broken file, as long as no setting for tests comes to light with it. */
function unreadBefore(now: ReadonlyMap<string, unknown>): KeyChange[] {
  return [...now.keys()].map((key) => ({ key, line: 0 }));
}

function packageSettings(text: string): Map<string, unknown> | null {
  const document = readOrNull(() => JSON.parse(text.replace(/^\ufeff/, "")) as unknown);
  if (!isTable(document)) return null;
  return new Map(packageKeys.filter((key) => Object.hasOwn(document, key)).map((key) => [key, document[key]]));
}

function projectSettings(text: string): Map<string, unknown> | null {
  const document = readOrNull(() => parseToml(text.replace(/^\ufeff/, "")));
  if (document === null) return null;
  const settings = new Map<string, unknown>();
  for (const [name, tool] of Object.entries(isTable(document["tool"]) ? document["tool"] : {})) {
    if (tomlTestTool.test(name)) settings.set(`tool.${name}`, tool);
    const commands = tomlCommands[name];
    if (commands !== undefined && isTable(tool) && Object.hasOwn(tool, commands)) {
      settings.set(`tool.${name}.${commands}`, tool[commands]);
    }
  }
  const project = document["project"];
  const entryPoints = isTable(project) ? project["entry-points"] : undefined;
  if (isTable(entryPoints) && "pytest11" in entryPoints) {
    settings.set("project.entry-points.pytest11", entryPoints["pytest11"]);
  }
  return settings;
}

function settingsOfSections(text: string): Map<string, unknown> | null {
  const sections = iniSections(text, (name) => iniSection.test(name));
  return sections && new Map([...sections].filter(([name]) => iniSection.test(name)));
}

/** The `test` blocks, which configure vitest; found by their braces, since the file is a program. */
function viteSettings(text: string): Map<string, unknown> {
  const { code } = maskCode(text, "javascript");
  const blocks: string[] = [];
  let end = 0;
  for (const { index } of code.matchAll(/(?<![\w$.])test["']?\s*:/g)) {
    if (index < end) continue;
    end = endOfBlock(code, index);
    blocks.push(text.slice(index, end));
  }
  return new Map(blocks.length === 0 ? [] : [["test", blocks]]);
}

/** Behind the value that starts after `start`: at the comma or brace that ends it. */
function endOfBlock(code: string, start: number): number {
  let depth = 0;
  for (let index = start; index < code.length; index++) {
    const char = code.charAt(index);
    if (depth === 0 && /[,}]/.test(char)) return index;
    if (/[{([]/.test(char)) depth += 1;
    if (/[})\]]/.test(char)) depth -= 1;
  }
  return code.length;
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function readOrNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
