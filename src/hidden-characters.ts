/**
 * Characters that a reader does not see and a model does: bidi controls, zero-width and filler characters, Unicode tags, and variation
 * selectors where they carry data (supplementary ones, and runs of the common ones; a single one after an emoji is left alone).
 * https://www.unicode.org/reports/tr36/ and https://trojansource.codes
 */
const hidden =
  "\\u00AD\\u034F\\u061C\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u206F\\u3164\\uFEFF\\uFFA0\\uFFF9-\\uFFFB\\u{1D173}-\\u{1D17A}\\u{E0000}-\\u{E0FFF}";

const hiddenRuns = new RegExp(`[${hidden}]+|[\\uFE00-\\uFE0F]{2,}`, "gu");

/** A backslash that begins what would read as a shown character; `5c` is the backslash itself. */
const shownForm = /\\u\{([1-9a-f][0-9a-f]{1,5})\}/g;

const backslash = "5c";

/** Removes hidden characters: for text of people and logs, where they have no use. */
export function stripHidden(text: string): string {
  return text.replace(hiddenRuns, "");
}

/**
 * Writes each hidden character as `\u{…}` (lower-case hex without leading zeros): for file content, where they must be seen and kept.
 * Text that already reads like a shown character gets its backslash shown as `\u{5c}`, so that `unshowHidden` gives back the exact text.
 */
export function showHidden(text: string): string {
  return text
    .replace(shownForm, (literal, hex: string) => (isShownForm(hex) ? `\\u{${backslash}}${literal.slice(1)}` : literal))
    .replace(hiddenRuns, (run) => Array.from(run, shown).join(""));
}

/**
 * The inverse of `showHidden`: `unshowHidden(showHidden(text)) === text` for every text. Escapes that `showHidden` never writes, such as
 * `\u{1f600}`, `\u{200B}` or `\u200b`, are ordinary text.
 */
export function unshowHidden(text: string): string {
  return text.replace(shownForm, (form, hex: string) =>
    isShownForm(hex) ? String.fromCodePoint(Number.parseInt(hex, 16)) : form,
  );
}

function shown(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

const hiddenCharacter = new RegExp(`^[${hidden}\\uFE00-\\uFE0F]$`, "u");

function isShownForm(hex: string): boolean {
  const codePoint = Number.parseInt(hex, 16);
  if (hex === backslash) return true;
  return codePoint <= 0x10ffff && hiddenCharacter.test(String.fromCodePoint(codePoint));
}
