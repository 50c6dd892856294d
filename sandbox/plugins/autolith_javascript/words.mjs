/** The words of a command line, as the runners' own parsers read them. */

/**
 * Takes options out of the words. `dropped` says of each name whether its value may be the next word: `never`, `always`,
 * or `maybe` for a value that does not look like a file. What stands behind `--` is left alone.
 */
export function withoutOptions(words, dropped) {
  const kept = [];
  for (let at = 0; at < words.length; at += 1) {
    const [name] = words[at].split("=", 1);
    if (words[at] === "--") return [...kept, ...words.slice(at)];
    const value = Object.hasOwn(dropped, name) ? dropped[name] : undefined;
    if (value === undefined) kept.push(words[at]);
    else if (!words[at].includes("=") && takesNext(value, words[at + 1])) at += 1;
  }
  return kept;
}

function takesNext(value, next) {
  if (value === "never" || next === undefined) return false;
  return value === "always" || /^\d+$|^true$|^false$/.test(next);
}

/**
 * Takes the operands (files, folders, patterns) out of the words. A word behind an option that is not known to stand
 * alone may be its value and stays.
 */
export function withoutOperands(words, standAlone) {
  let mayBeValue = false;
  const isOption = (word) => word.startsWith("-");
  return words.filter((word) => {
    const isOperand = !isOption(word) && !mayBeValue;
    mayBeValue = isOption(word) && !word.includes("=") && !word.startsWith("--no-") && !standAlone.has(word);
    return !isOperand;
  });
}
