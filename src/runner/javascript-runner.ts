import { isMocha } from "./mocha-command.ts";
import type { RunnerName } from "./report.ts";

/** Verbs of vitest that run no tests, or that end with something else than their results. */
const otherVerbs = /^(?:bench|init|list|typecheck)$/;
/** Files that a runner may be started by: its program, or the script behind it. */
const vitestFile = /(?:^|\/)(?:vitest|vitest\/vitest\.mjs)$/;
const jestFile = /(?:^|\/)(?:jest|jest\/bin\/jest(?:\.js)?|jest-cli\/bin\/jest(?:\.js)?)$/;

/** The runner of the words of a program, `node` in front of it or not: vitest, jest or mocha, else null. */
export function javascriptRunner(words: readonly string[]): RunnerName | null {
  const [program = "", ...args] = behindNode(words);
  if (vitestFile.test(program))
    return otherVerbs.test(args[0] ?? "") || args.includes("--merge-reports") ? null : "vitest";
  if (jestFile.test(program)) return "jest";
  if (/(?:^|\/)react-scripts$/.test(program) && args.includes("test")) return "jest";
  return isMocha(words) ? "mocha" : null;
}

/** The script that node runs, and its arguments; the words themselves when they do not start with node. */
function behindNode(words: readonly string[]): readonly string[] {
  if (words[0]?.split("/").at(-1) !== "node") return words;
  const script = words.findIndex(
    (word, index) => index > 0 && /(?:^|\/)node_modules\//.test(word) && !word.startsWith("-"),
  );
  return script === -1 ? [] : words.slice(script);
}
