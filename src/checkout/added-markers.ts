/** A place in a source file where something stands that a patch may not add. */
export interface Marker {
  /** 1-based. */
  readonly line: number;
  /** As it is written, for example `pytest.skip(`. */
  readonly marker: string;
}

interface MarkedLine extends Marker {
  readonly text: string;
}

/** One text, and the view of it in which patterns are looked for: its code alone, or its comments alone. */
export interface View {
  readonly text: string;
  /** As long as the text. */
  readonly shown: string;
}

/** Markers of the later view whose line did not stand in the earlier one with such a marker. */
export function addedMarkers(before: View, after: View, patterns: readonly RegExp[]): Marker[] {
  const known = new Map<string, number>();
  for (const { text } of markedLines(before, patterns)) known.set(text, (known.get(text) ?? 0) + 1);
  const added: Marker[] = [];
  for (const { text, line, marker } of markedLines(after, patterns)) {
    const times = known.get(text) ?? 0;
    if (times > 0) known.set(text, times - 1);
    else added.push({ line, marker });
  }
  return added;
}

/** The first marker of each line, with the line's text, in the order of lines. */
function markedLines({ text, shown }: View, patterns: readonly RegExp[]): MarkedLine[] {
  const matches = patterns.flatMap((pattern) => [...shown.matchAll(pattern)]).sort((a, b) => a.index - b.index);
  const found: MarkedLine[] = [];
  let line = 1;
  let seen = 0;
  for (const { index, 0: marker } of matches) {
    for (; seen < index; seen++) if (shown.charAt(seen) === "\n") line += 1;
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
