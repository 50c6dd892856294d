import { posix } from "node:path";
import { quote } from "shell-quote";
import type { FileReader } from "./file-reader.ts";
import { type ShellWord, simpleCommands } from "./shell-words.ts";
import { peelWrappers } from "./wrappers.ts";

/** Options of node whose value may be the next word. */
const valued = new Set(
  [
    "-r --require --import --loader --experimental-loader -C --conditions --env-file --env-file-if-exists --title --watch-path",
    "--test-name-pattern --test-skip-pattern --test-reporter --test-reporter-destination --test-concurrency --test-timeout",
    "--test-shard --test-isolation --test-global-setup --test-coverage-include --test-coverage-exclude --experimental-config-file",
  ].flatMap((names) => names.split(" ")),
);

interface Parts {
  /** Everything up to node's last option. */
  readonly head: readonly ShellWord[];
  /** Files, folders and patterns. */
  readonly operands: readonly ShellWord[];
}

/** The command for the given files of the workspace only; null when it is more than one plain `node --test`. */
export function onlyFiles(
  { shell, cwd }: { readonly shell: string; readonly cwd: string },
  files: readonly string[],
): string | null {
  const parts = partsOf(shell);
  const paths = files.map((file) => posix.relative(cwd, posix.join("/work", file)));
  // Node takes every operand for a pattern.
  if (parts === null || paths.length === 0 || paths.some((path) => /[*?[\]{}()!+@\\]/.test(path))) return null;
  const safe = paths.map((path) => (path.startsWith("-") ? `./${path}` : path));
  return [...parts.head.map(({ raw }) => raw), quote(safe)].join(" ");
}

/**
 * Folders as operands were searched for tests by Node 20; later versions fail on them. They become the patterns that
 * Node 20 searched for, so that a command written for it still runs.
 */
export function withoutFolders(shell: string, folder: string, files: FileReader): string {
  const parts = partsOf(shell);
  if (parts === null) return shell;
  const isFolder = (path: string) => files.paths.some((each) => each.startsWith(`${posix.join(folder, path)}/`));
  const operands = parts.operands.map(({ raw, value }) => {
    const path = value?.replace(/\/+$/, "") ?? "";
    if (path === "" || path === "." || !isFolder(path)) return raw;
    const names = posix.basename(path) === "test" ? "*" : "{test,test/**/*,test-*,*[._-]test}";
    return `'${path}/**/${names}.?(c|m)js'`;
  });
  return [...parts.head.map(({ raw }) => raw), ...operands].join(" ");
}

function partsOf(shell: string): Parts | null {
  const commands = simpleCommands(shell);
  const [command] = commands ?? [];
  if (command === undefined || commands?.length !== 1 || command.separator !== "") return null;
  const words = peelWrappers(command.words);
  if (words[0]?.value?.split("/").at(-1) !== "node" || !words.some(({ value }) => value === "--test")) return null;
  const isOperand = operandsOf(words);
  const wrapping = command.words.slice(0, command.words.length - words.length);
  if (words.some(({ raw }) => /^\d*[<>&]/.test(raw))) return null;
  return {
    head: [...wrapping, ...words.filter((_, index) => !isOperand[index])],
    operands: words.filter((_, index) => isOperand[index]),
  };
}

function operandsOf(words: readonly ShellWord[]): boolean[] {
  const texts = words.map(({ raw, value }) => value ?? raw);
  return texts.map((text, index) => {
    const isValue = valued.has(texts[index - 1] ?? "");
    return index > 0 && !text.startsWith("-") && !isValue;
  });
}
