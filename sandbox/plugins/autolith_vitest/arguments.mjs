import path from "node:path";
import { filesOf, namePattern } from "../autolith_javascript/selection.mjs";
import { withoutOperands, withoutOptions } from "../autolith_javascript/words.mjs";
import { workspace } from "../autolith_node_test/environment.mjs";

/** Verbs that run tests, with what takes their place: nobody is there to watch. */
const verbs = { run: "run", watch: "run", dev: "run", related: "related" };
/** Stops at the first failure, and waits for changes: all failures must be seen, once. */
const never = { "--bail": "maybe", "--watch": "maybe", "-w": "never", "--ui": "never", "--open": "never" };
/** Would choose among the chosen tests once more. */
const choosing = { "-t": "always", "--testNamePattern": "always", "--shard": "always", "--changed": "maybe" };
const standAlone = new Set(
  [
    "--run --coverage --globals --dom --silent --isolate --typecheck --update -u --passWithNoTests --allowOnly",
    "--fileParallelism --hideSkippedTests --logHeapUsage --expandSnapshotDiff --disableConsoleIntercept --color",
    "--dangerouslyIgnoreUnhandledErrors --clearScreen --includeTaskLocation --printConsoleTrace --browser.headless",
  ].flatMap((names) => names.split(" ")),
);

/** The words behind `vitest` with our reporter beside theirs, for the chosen tests; null for a verb that runs none. */
export function vitestArguments(words, { select, shuffleSeed }, reporter) {
  const hasVerb =
    /^[a-z]+$/.test(words[0] ?? "") && /^(?:run|watch|dev|related|bench|init|list|typecheck)$/.test(words[0]);
  const verb = hasVerb ? verbs[words[0]] : "run";
  if (verb === undefined) return null;
  const given = withoutOptions(hasVerb ? words.slice(1) : words, select === null ? never : { ...never, ...choosing });
  const theirs = given.some((word) => /^--reporter(?:=|$)/.test(word)) ? [] : ["--reporter=default"];
  const pattern = select === null ? null : namePattern(select);
  const ours = [
    ...(verb === "related" ? ["--run"] : []),
    // Ours comes first, and takes the locals off the errors before another prints them.
    `--reporter=${reporter}`,
    ...theirs,
    "--bail=0",
    ...(shuffleSeed === null ? [] : ["--sequence.shuffle", `--sequence.seed=${shuffleSeed}`]),
    ...(pattern === null ? [] : [`--testNamePattern=${pattern}`]),
  ];
  if (select === null || verb === "related") return [verb, ...ours, ...given];
  const files = filesOf(select).map((file) => path.relative(process.cwd(), path.join(workspace, file)));
  return [verb, ...files, ...ours, ...withoutOperands(given, standAlone)];
}
