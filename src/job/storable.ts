/** The longest name that is kept, where GitHub itself has no lower limit. Unit: UTF-16 units. */
export const nameLimit = 255;

/**
 * Text that the database takes and a reader can bear: no control characters but tabs and line ends, no half surrogate pairs (either
 * makes PostgreSQL refuse the whole record), and not longer than `limit` UTF-16 units.
 */
export function storable(text: string, limit: number): string {
  const cut = text.length <= limit ? text : text.slice(0, limit);
  return cut.replace(/[\u0000-\u0008\u000B-\u001F\u007F]/g, "").replace(/[\uD800-\uDFFF]/gu, "");
}
