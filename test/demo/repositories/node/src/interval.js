/** A span of minutes, start included, end not. */
export function interval(start, end) {
  if (end <= start) throw new RangeError("an interval must end after it starts");
  return { start, end };
}

/** Sorted, with touching and overlapping intervals made one. */
export function merge(intervals) {
  const merged = [];
  for (const next of intervals) {
    const last = merged.at(-1);
    if (last && next.start <= last.end) {
      last.end = next.end;
    } else {
      merged.push({ ...next });
    }
  }
  return merged;
}

/** What of the outer interval none of the others covers. */
export function subtract(outer, others) {
  const free = [];
  let cursor = outer.start;
  for (const busy of merge(others)) {
    if (busy.start > cursor) free.push({ start: cursor, end: Math.min(busy.start, outer.end) });
    cursor = Math.max(cursor, busy.end);
    if (cursor >= outer.end) break;
  }
  if (cursor < outer.end) free.push({ start: cursor, end: outer.end });
  return free;
}
