import { addedMarkers, type Marker } from "./added-markers.ts";
import { type CodeLanguage, languageOf, maskCode } from "./mask-code.ts";

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
export function addedSkipMarkers(path: string, before: string, after: string): Marker[] {
  const language = languageOf(path, after);
  if (language === null) return [];
  const view = (text: string) => ({ text, shown: maskCode(text, language).code });
  return addedMarkers(view(before), view(after), markers[language]);
}
