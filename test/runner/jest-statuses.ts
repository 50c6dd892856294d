const kinds = {
  passes: "passed",
  "throws in a library of the workspace": "failed",
  compares: "failed",
  "compares after an await": "failed",
  "asserts as node does": "failed",
  "outer > inner > same name": "passed",
  "outer > inner > same name #2": "failed",
  "outer > grüße (1) > 5$ a/b?": "passed",
  "outer > grüße (2) > 5$ a/b?": "failed",
  skips: "skipped",
  later: "skipped",
  "set-up > never runs": "error",
  "set-up > is skipped anyway": "skipped",
  "tear-down > ran": "passed",
  "times out": "failed",
  "throws no error": "failed",
  "has no snapshot yet": "failed",
  "sees no variable of ours": "passed",
};

/** What jest says of the tests in `fixtures/repositories/runner-jest`. */
export function jestStatuses(version: string): Record<string, string> {
  // Jest 26 runs tests with jasmine, which knows neither `failing` nor a second try, and gives the error of a set-up to
  // each test without saying whose it is; from 30 on jest says that a test should fail.
  const isOld = version.startsWith("26.");
  const failing = version.startsWith("30.") ? "xfailed" : "passed";
  return {
    ...Object.fromEntries(Object.entries(kinds).map(([name, status]) => [`test/kinds.test.js > ${name}`, status])),
    ...(isOld
      ? { "test/kinds.test.js > set-up > never runs": "failed" }
      : { "test/kinds.test.js > fails as it should": failing }),
    "test/retry.test.js > passes when tried again": isOld ? "failed" : "passed",
    "test/import.test.js": "error",
    "test/syntax.test.js": "error",
    "test/top.test.js": "error",
  };
}
