import { type CodeLanguage, languageOf, maskCode } from "./mask-code.ts";

/** A place where code keeps a test from running or from failing. */
export interface SkipMarker {
  /** 1-based. */
  readonly line: number;
  /** The marker as it is written, for example `pytest.skip(`. */
  readonly marker: string;
}

/** Each takes linear time. They may match over line ends, where the language lets code go on. */
const markers: Readonly<Record<CodeLanguage, readonly RegExp[]>> = {
  python: [
    /\bpytest\s*\.\s*(?:skip|xfail|importorskip|exit)\b/g,
    /\bmark\s*\.\s*(?:skip|skipif|xfail)\b/g,
    /\bunittest\s*\.\s*(?:skip\w*|expectedFailure|SkipTest)\b/g,
    /\b(?:SkipTest|importorskip|skipIf|skipUnless|skipTest|expectedFailure)\b/g,
    /\bfrom\s+(?:_?pytest|unittest)\b[\w.]*\s+import\s(?:\s*\([^()]{0,1000}|[^\n]{0,300})\b(?:skip|Skipped|xfail|exit)\b/g,
  ],
  javascript: [
    /(?<![\w$.])(?:test|it|describe|suite|t)(?:\s*\.\s*\w{1,20}){0,3}\s*\.\s*(?:skip|only|todo|fails|failing|skipIf|runIf)(?=\s*[.(`])/g,
    /(?<![\w$.])(?:xit|xtest|xdescribe|xspecify|fdescribe)\s*\(/g,
  ],
};

/**
 * Markers that a change adds to a source file: those whose line did not stand in the file before. `before` is empty for a new file.
 * Comments and strings do not count.
 */
export function addedSkipMarkers(path: string, before: string, after: string): SkipMarker[] {
  const language = languageOf(path, after);
  if (language === null) return [];
  const known = new Map<string, number>();
  for (const { text } of findMarkers(before, language)) known.set(text, (known.get(text) ?? 0) + 1);
  const added: SkipMarker[] = [];
  for (const { text, line, marker } of findMarkers(after, language)) {
    const times = known.get(text) ?? 0;
    if (times > 0) known.set(text, times - 1);
    else added.push({ line, marker });
  }
  return added;
}

/** The first marker of each line, with the line's text, in the order of lines. */
function findMarkers(text: string, language: CodeLanguage): (SkipMarker & { readonly text: string })[] {
  const { code } = maskCode(text, language);
  const matches = markers[language].flatMap((pattern) => [...code.matchAll(pattern)]).sort((a, b) => a.index - b.index);
  const found: (SkipMarker & { readonly text: string })[] = [];
  let line = 1;
  let seen = 0;
  for (const { index, 0: marker } of matches) {
    for (; seen < index; seen++) if (code.charAt(seen) === "\n") line += 1;
    if (found.at(-1)?.line === line) continue;
    const start = text.lastIndexOf("\n", index) + 1;
    const end = text.indexOf("\n", index);
    found.push({ line, marker: oneLine(marker), text: text.slice(start, end === -1 ? text.length : end).trim() });
  }
  return found;
}

function oneLine(marker: string): string {
  return marker.replace(/\s+/g, " ").trim().slice(0, 80);
}
