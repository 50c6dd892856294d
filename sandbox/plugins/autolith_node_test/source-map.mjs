import { SourceMap } from "node:module";

const maxBytes = 4_000_000;
const parsed = new Map();

/**
 * The line, from 1 on, in the file as its author wrote it, of a place in a script that was made from it. Known by the
 * map that the script carries in itself, if it does.
 */
export function writtenLine(url, { lineNumber, columnNumber }) {
  if (url === undefined) return lineNumber + 1;
  if (!parsed.has(url)) parsed.set(url, parse(url));
  const found = parsed.get(url)?.findEntry(lineNumber, columnNumber)?.originalLine;
  return found === undefined ? lineNumber + 1 : found + 1;
}

function parse(url) {
  const comma = url.indexOf(",");
  if (comma < 0 || url.length > maxBytes) return undefined;
  const data = url.slice(comma + 1);
  try {
    const text = /;base64$/.test(url.slice(0, comma))
      ? Buffer.from(data, "base64").toString()
      : decodeURIComponent(data);
    return new SourceMap(JSON.parse(text));
  } catch {
    return undefined;
  }
}
