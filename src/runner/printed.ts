/** What a failing test printed to one stream. */
export interface Printed {
  /** As the report plugins name it: `stdout`, `Captured stdout call`, `console of the file`. */
  readonly title: string;
  readonly text: string;
}

/** Titles of the plugins, and those that unittest itself writes with `--buffer`. */
const titles = /^(?:--- (Captured .{1,80}|(?:stdout|stderr|console)(?: of the file)?) ---|(Stdout|Stderr):)$/gm;

/** What a test's message holds behind the runner's own words for the failure. */
export function printedIn(message: string): Printed[] {
  const found = [...message.matchAll(titles)];
  return found.map((match, index) => {
    const text = message.slice(match.index + match[0].length, found[index + 1]?.index);
    return { title: match[1] ?? match[2] ?? "", text: text.trim() };
  });
}
