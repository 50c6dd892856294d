import { stripVTControlCharacters } from "node:util";

/** Equal lines in a row from which on only the first is shown. */
const fewest = 4;

/**
 * A program's output as a person would see it once it has ended: without colours, each progress line in its last state,
 * and of many equal lines in a row only the first.
 */
export function outputText(text: string): string {
  const lines = stripVTControlCharacters(text)
    .split("\n")
    .map((line) => line.replace(/\r+$/, ""))
    .map((line) => line.slice(line.lastIndexOf("\r") + 1));
  const shown: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? "";
    let end = at + 1;
    while (lines[end] === line) end += 1;
    if (end - at >= fewest && line !== "") shown.push(line, `[… ${end - at - 1} more lines like this one …]`);
    else shown.push(...lines.slice(at, end));
    at = end;
  }
  return shown.join("\n");
}
