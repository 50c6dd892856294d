import path from "node:path";
import { filesOf, namePattern } from "../autolith_javascript/selection.mjs";
import { withoutOperands, withoutOptions } from "../autolith_javascript/words.mjs";
import { workspace } from "../autolith_node_test/environment.mjs";

/** Stops at the first failure, and waits for changes: all failures must be seen, once. */
const never = { "--bail": "maybe", "-b": "maybe", "--watch": "maybe", "--watchAll": "maybe", "--notify": "maybe" };
/** Would choose among the chosen tests once more. */
const choosing = {
  ...{ "-t": "always", "--testNamePattern": "always", "--testPathPattern": "always", "--testPathPatterns": "always" },
  ...{ "--shard": "always", "--changedSince": "always", "--onlyChanged": "maybe", "-o": "maybe" },
  ...{ "--lastCommit": "maybe", "--onlyFailures": "maybe", "-f": "maybe", "--findRelatedTests": "never" },
};
const standAlone = new Set(
  [
    "-i --runInBand --ci --coverage --collectCoverage --verbose --silent --passWithNoTests --forceExit --cache -u --json",
    "--detectOpenHandles --detectLeaks --updateSnapshot --colors --color --errorOnDeprecated --logHeapUsage --all -e",
    "--runTestsByPath --useStderr --injectGlobals --expand --randomize --watchman --clearMocks --resetMocks",
  ].flatMap((names) => names.split(" ")),
);
/** https://github.com/jestjs/jest/blob/main/CHANGELOG.md names `--randomize` under 29.5.0. */
const firstThatShuffles = [29, 5];

/** The words behind `jest` with our reporter beside theirs, for the chosen tests. */
export function jestArguments(words, { select, shuffleSeed }, { reporter, version }) {
  const given = withoutOptions(words, select === null ? never : { ...never, ...choosing });
  const theirs = given.some((word) => /^--reporters(?:=|$)/.test(word)) ? [] : ["--reporters=default"];
  const pattern = select === null ? null : namePattern(select);
  // A list of reporters takes every word up to the next option, so ours must not stand at the end.
  const ours = [
    ...theirs,
    `--reporters=${reporter}`,
    "--bail=0",
    ...(shuffleSeed === null || !shuffles(version)
      ? []
      : ["--randomize", `--seed=${shuffleSeed}`, "--testLocationInResults"]),
    ...(pattern === null ? [] : [`--testNamePattern=${pattern}`]),
    "--ci",
  ];
  if (select === null) return [...ours, ...given];
  const files = filesOf(select).map((file) => path.join(workspace, file));
  return [...ours, "--runTestsByPath", ...files, ...withoutOperands(given, standAlone)];
}

function shuffles(version) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > firstThatShuffles[0] || (major === firstThatShuffles[0] && minor >= firstThatShuffles[1]);
}
