import { expect, test } from "vitest";
import { showHidden, stripHidden, unshowHidden } from "../src/hidden-characters.ts";
import { expectLinear } from "./linear-time.ts";

const tags = Array.from("ignore", (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join("");

test("removes bidi controls, zero-width characters and Unicode tags", () => {
  expect(stripHidden(`a\u202Eb\u2066c\u200Bd\uFEFFe\u2060f${tags}g\u00ADh`)).toBe("abcdefgh");
});

test("removes data that hides in variation selectors", () => {
  expect(stripHidden("😀\uFE00\uFE01\uFE0F and 😀\u{E0100}\u{E0142}")).toBe("😀 and 😀");
});

test("leaves visible text of every script, emoji styles and white space alone", () => {
  const text = "naïve 漢字 עברית ⚠\uFE0F tab\tline\r\n\u00A0end";
  expect(stripHidden(text)).toBe(text);
  expect(showHidden(text)).toBe(text);
});

test("shows hidden characters by their code points", () => {
  expect(showHidden(`if a\u202E == b\u200B:${tags.slice(0, 2)}`)).toBe("if a\\u{202e} == b\\u{200b}:\\u{e0069}");
});

test("tells a shown character from the same text in the file", () => {
  const text = 'let a = "\\u{200b}"; let b = "\u200B";';
  expect(showHidden(text)).toBe('let a = "\\u{5c}u{200b}"; let b = "\\u{200b}";');
  expect(unshowHidden(showHidden(text))).toBe(text);
});

test("leaves escapes alone that are never written for a hidden character", () => {
  const text = '"\\u{1f600}" "\\u{200B}" "\\u{0200b}" "\\u200b" "\\u{110000}" "\\u{}"';
  expect(showHidden(text)).toBe(text);
  expect(unshowHidden(text)).toBe(text);
});

test("gives back the exact text for every mixture of escapes and hidden characters", () => {
  const alphabet = [
    "\\",
    "u",
    "{",
    "}",
    "5c",
    "200b",
    "fe0f",
    "\u200B",
    "\uFE0F",
    "\u{E0041}",
    "\uD800",
    "\uDC00",
    "a",
    "\n",
  ];
  let state = 42;
  const next = (): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state;
  };
  for (let round = 0; round < 20_000; round += 1) {
    const text = Array.from({ length: next() % 24 }, () => alphabet[(next() >> 8) % alphabet.length]).join("");
    expect(unshowHidden(showHidden(text))).toBe(text);
  }
});

test.each(["\\u{", "\\u{200b}", "\\u{5c}", "\u200B", "\uFE0F", "\\"])(
  "takes a megabyte of %j in linear time",
  (piece) => {
    const text = piece.repeat(Math.ceil(1_000_000 / piece.length));
    expect(unshowHidden(showHidden(text))).toBe(text);
    expectLinear((size) => unshowHidden(showHidden(piece.repeat(Math.ceil(size / piece.length)))), 1_000_000);
  },
);
