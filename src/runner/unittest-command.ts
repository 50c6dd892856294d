import { posix } from "node:path";
import { type FileReader, readText } from "./file-reader.ts";
import type { ShellWord } from "./shell-words.ts";

const python = /^(?:python(?:\d(?:\.\d+)?)?|pypy3?)$/;
/** Options of Python under which it reads no PYTHONPATH, or loads no start-up module. */
const shutsPluginsOut = /^-[a-zA-Z]*[EIS]/;
/** How a file starts its own tests: https://docs.python.org/3/library/unittest.html#unittest.main */
const startsTests = /^[^#\n]*\b(?:unittest\.main|TextTestRunner)\s*\(/m;
const startsOthers = /\bpytest\b|\bdjango\b/;

/**
 * True for `python -m unittest`, and for a file of the workspace that runs unittest's tests when it is started, by its
 * path or as a module. `words` is what is left of the command without its wrappers.
 */
export async function isUnittest(
  command: readonly ShellWord[],
  words: readonly ShellWord[],
  folder: string,
  files: FileReader,
): Promise<boolean> {
  const before = command.slice(0, command.length - words.length).map(({ raw }) => raw);
  const [program = "", ...args] = words.map(({ value, raw }) => value ?? raw);
  const isModule = /^-[a-zA-Z]*m$/.test(before.at(-1) ?? "");
  const script = isPython(program) ? (args.find((arg) => !arg.startsWith("-")) ?? "") : program;
  const options = isPython(program) ? args.slice(0, args.indexOf(script)) : [];
  if ([...before, ...options].some((word) => shutsPluginsOut.test(word))) return false;
  if (isModule && program === "unittest") return true;
  for (const file of isModule ? moduleFiles(program) : [script]) {
    if (!file.endsWith(".py")) continue;
    const text = await readText(files, posix.join(folder, file));
    if (text !== null) return startsTests.test(text) && !startsOthers.test(text);
  }
  return false;
}

function isPython(program: string): boolean {
  return python.test(program.split("/").at(-1) ?? "");
}

function moduleFiles(name: string): string[] {
  const path = name.replaceAll(".", "/");
  return [`${path}.py`, `${path}/__main__.py`];
}
