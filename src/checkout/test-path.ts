import { baseName, foldPath, plainPath } from "./fold-path.ts";

/** Folders that hold tests and what they need, fixtures included, in any ecosystem. */
const testFolders = new Set([
  "test",
  "tests",
  "__tests__",
  "__mocks__",
  "__snapshots__",
  "spec",
  "specs",
  "e2e",
  "cypress",
  "testdata",
  "test-data",
  "test_data",
]);

/** File names of tests, folded to lower case. */
const testNames: readonly RegExp[] = [
  // pytest and unittest; Django's `tests.py`.
  /^(test_.*|.*_test|.*_tests|tests?)\.pyw?$/,
  // jest, vitest, mocha, ava.
  /\.(test|spec|tests|specs|cy|e2e)\.[a-z0-9]+$/,
  /^tests?\.[cm]?[jt]sx?$/,
  // What `node --test` finds besides; in TypeScript these are names of sources as often as of tests.
  // https://nodejs.org/api/test.html#running-tests-from-the-command-line
  /^(test[-_].*|.*[-_]test)\.[cm]?jsx?$/,
  // Go, Rust, C and C++, Dart, Ruby, Elixir, Erlang.
  /^(test_.*|.*_(test|tests|unittest|spec|suite))\.(go|rs|c|cc|cpp|cxx|dart|rb|exs?|erl)$/,
  // Snapshots: jest and vitest, syrupy, insta.
  /\.(snap|ambr|snap\.new)$/,
];

/** Names that depend on case: `ContestTest.java` is a test, `Contest.java` is not. */
const camelCaseTestNames: readonly RegExp[] = [
  /(^|[a-z0-9_])(Test|Tests|TestCase|IT|Spec|Specs)\.(java|kt|kts|scala|groovy|cs|fs|vb|php|swift|m|mm)$/,
  /^Test[A-Z0-9_]\w*\.(java|kt|scala|groovy|cs|php|swift)$/,
];

/** Files that say what is a test, how it is run and how it is judged; each as a whole. */
const configurationNames: readonly RegExp[] = [
  /^(conftest\.py|\.?pytest\.(ini|toml)|tox\.(ini|toml)|\.coveragerc|noxfile\.py|nose2?\.cfg|\.noserc)$/,
  /^(vitest|jest|ava|playwright|cypress|karma|wdio|web-test-runner|stryker|jasmine|nyc|c8|mocha)\.(config|conf|workspace|projects?|setup|json)\b/,
  /^(jest[-.](preset|setup|config)|vitest[-.](setup|workspace)|setup-?tests?|test-?setup)\b.*\.([cm]?[jt]sx?|json)$/,
  /^\.(mocharc|nycrc|c8rc|taprc|jestrc|jasmine)(\.|$)/,
  /^(mocha\.opts|cypress\.json|\.rspec|phpunit\.xml|phpunit\.xml\.dist|\.jest\.[cm]?js)$/,
];

/** Whether a path is that of a test, or of something that tests are judged by (fixtures, snapshots, mocks). */
export function isTestPath(path: string): boolean {
  const names = foldPath(path).split("/");
  const name = names.pop() ?? "";
  if (names.some((folder) => testFolders.has(folder))) return true;
  const plainName = baseName(plainPath(path));
  return testNames.some((form) => form.test(name)) || camelCaseTestNames.some((form) => form.test(plainName));
}

/** Whether a whole file configures a test runner or coverage. */
export function isTestConfigurationPath(path: string): boolean {
  const name = baseName(foldPath(path));
  return configurationNames.some((form) => form.test(name));
}
