/** Chosen tests, by their ids: `file > outer > name`, with `[project]` behind the file where there are several. */

/** A longer pattern is of no use to anybody; the chosen files run whole then. */
const patternChars = 60_000;
/** Ids are cut at this length where a report is read. */
const idChars = 2_000;
/** Runners put a space between the names of suites and tests, later versions ` > `. */
const between = "(?: | > )";

/** Files of the chosen ids. */
export function filesOf(ids) {
  return [...new Set(ids.map((id) => id.split(" > ", 1)[0]))];
}

/** True for a chosen test and for one that lies in a chosen suite or file. */
export function isSelected(id, ids) {
  return ids === null || ids.some((each) => id === each || id.startsWith(`${each} > `));
}

/**
 * A regular expression for the full names of the chosen tests and of the tests in chosen suites; null when a whole file
 * is among them.
 */
export function namePattern(ids) {
  const alternatives = new Set();
  for (const id of ids) {
    const [, ...names] = id.split(" > ");
    if (names.length === 0) return null;
    alternatives.add(patternOf(names, id));
    if (names.length > 1 && /^\[.*\]$/.test(names[0])) alternatives.add(patternOf(names.slice(1), id));
  }
  const pattern = `^\\s*(?:${[...alternatives].join("|")})`;
  return pattern.length > patternChars ? null : pattern;
}

function patternOf(names, id) {
  const exact = names.map(escaped).join(between);
  if (id.length >= idChars) return exact;
  // The second test of a name is called `name #2` in ids, and may also be called so by its author.
  const counted = / #\d+$/.exec(exact);
  const name = counted === null ? exact : `${exact.slice(0, counted.index)}(?:${counted[0]})?`;
  return `${name}(?:$|${between})`;
}

function escaped(text) {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
