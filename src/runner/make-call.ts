import { posix } from "node:path";
import { type FileReader, readText } from "./file-reader.ts";
import { type ShellWord, simpleCommands } from "./shell-words.ts";

const fileNames = ["GNUmakefile", "makefile", "Makefile"];
/** What takes more than reading to follow: conditions, includes, functions, variables, special variables and modes. */
const beyond =
  /^(?:-?include|sinclude|ifeq|ifneq|ifdef|ifndef|define|vpath|\.ONESHELL|\.SHELLFLAGS|SHELL|MAKEFLAGS)\b/m;
const rule = /^([\w./-]+(?: [\w./-]+)*)\s*:(?!=)\s*([\w./ -]*)$/;
/** A target that needs another one that needs another one. */
const deepest = 10;

/**
 * The commands that `make TARGET` runs, joined as one shell text; null for any other command, and for a makefile that is
 * not as simple as that: then make itself runs, and its exit status decides.
 */
export async function makeCall(words: readonly ShellWord[], folder: string, files: FileReader): Promise<string | null> {
  const [program, target, ...more] = words.map(({ value }) => value);
  if (program !== "make" || target == null || more.length > 0 || !/^[\w.-]+$/.test(target)) return null;
  for (const name of fileNames) {
    const text = await readText(files, posix.join(folder, name));
    if (text === null) continue;
    const rules = beyond.test(text) ? null : rulesOf(text);
    const lines = rules === null ? null : linesOf(target, rules, deepest);
    return lines === null || lines.length === 0 ? null : joined(lines);
  }
  return null;
}

interface Rule {
  readonly needs: readonly string[];
  readonly lines: string[];
}

/** Null when a target has two rules. */
function rulesOf(text: string): ReadonlyMap<string, Rule> | null {
  const rules = new Map<string, Rule>();
  let current: readonly Rule[] = [];
  for (const line of text.replaceAll(/\\\r?\n/g, " ").split(/\r?\n/)) {
    if (line.startsWith("\t")) for (const each of current) each.lines.push(line.trim());
    if (line.startsWith("\t") || /^\s*(?:#|$)/.test(line)) continue;
    const [, targets = "", needs = ""] = rule.exec(line.replace(/\s+#.*$/, "").trimEnd()) ?? [];
    current = targets
      .split(" ")
      .filter((name) => name !== "" && !name.startsWith("."))
      .map((name) => {
        const made: Rule = { needs: needs.split(/\s+/).filter((each) => each !== ""), lines: [] };
        if (rules.has(name)) rules.set("", made);
        rules.set(name, made);
        return made;
      });
  }
  return rules.has("") ? null : rules;
}

/** The lines of a target's needs and its own; null when one is not a plain command, or a need is no target. */
function linesOf(target: string, rules: ReadonlyMap<string, Rule>, depth: number): string[] | null {
  const found = rules.get(target);
  if (found === undefined || depth === 0) return null;
  const lines: string[] = [];
  for (const need of found.needs) {
    const before = linesOf(need, rules, depth - 1);
    if (before === null) return null;
    lines.push(...before);
  }
  for (const line of found.lines) {
    const plain = line.replace(/^@\s*/, "");
    // A leading dash makes a failure count for nothing, a plus runs even when nothing should.
    if (/^[-+@]/.test(plain) || plain.includes("$")) return null;
    if (plain !== "") lines.push(plain);
  }
  return lines;
}

/** Each line has a shell of its own, so a folder that one of several changes to would not hold for the next. */
function joined(lines: readonly string[]): string | null {
  const commands = lines.map(simpleCommands);
  if (commands.some((each) => each === null)) return null;
  if (lines.length === 1) return lines[0] ?? null;
  const changes = commands
    .flat()
    .some((each) => /^(?:cd|export|set|unset|source|\.|exit)$/.test(each?.words[0]?.value ?? ""));
  const isList = commands.some((each) => each?.some(({ separator }) => /^(?:\|\||;|&)$/.test(separator)));
  return changes || isList ? null : lines.join(" && ");
}
