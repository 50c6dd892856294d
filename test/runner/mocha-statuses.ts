const kinds = "test/kinds.js";
const hooks = "test/hooks.mjs";

/** What the fixtures for mocha show, in every version. */
export const mochaStatuses: Readonly<Record<string, string>> = {
  [`${kinds} > passes`]: "passed",
  [`${kinds} > throws in a library of the workspace`]: "failed",
  [`${kinds} > compares`]: "failed",
  [`${kinds} > compares deeply`]: "failed",
  [`${kinds} > outer > inner > same name`]: "passed",
  [`${kinds} > outer > inner > same name #2`]: "failed",
  [`${kinds} > outer > skipped`]: "skipped",
  [`${kinds} > outer > skips itself`]: "skipped",
  [`${kinds} > outer > is to be written`]: "skipped",
  [`${kinds} > outer > keeps this`]: "failed",
  [`${kinds} > times out`]: "failed",
  [`${kinds} > throws no error`]: "failed",
  [`${kinds} > throws later`]: "failed",
  [`${kinds} > passes at last`]: "passed",
  [`${kinds} > sees no variable of ours`]: "passed",
  [`${hooks} > before all > never runs`]: "error",
  [`${hooks} > before all > deeper > never runs either`]: "error",
  [`${hooks} > before each > runs`]: "passed",
  [`${hooks} > before each > some > has no table`]: "error",
  [`${hooks} > before each > some > is left out`]: "error",
  [`${hooks} > after each > passes itself`]: "error",
  [`${hooks} > after each > is left out`]: "error",
  [`${hooks} > after all > first`]: "passed",
  [`${hooks} > after all > last`]: "error",
};
