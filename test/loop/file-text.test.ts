import { expect, test } from "vitest";
import { decodeText, encodeText } from "../../src/loop/file-text.ts";

function roundTrip(bytes: Uint8Array): Uint8Array | null {
  const text = decodeText(bytes);
  return text === null ? null : encodeText(text, text.text);
}

test("keeps a byte order mark, CRLF and a missing newline at the end", () => {
  const bytes = Buffer.from("\ufeffa\r\nb\r\nc");
  expect(roundTrip(bytes)).toEqual(bytes);
  expect(decodeText(bytes)).toMatchObject({ bom: true, crlf: true, encoding: "utf-8" });
});

test("keeps bytes that are not UTF-8", () => {
  const bytes = Uint8Array.of(0x63, 0x61, 0x66, 0xe9, 0x0a);
  expect(Buffer.from(roundTrip(bytes) ?? [])).toEqual(Buffer.from(bytes));
});

test("refuses text that the file's encoding cannot hold", () => {
  const latin = decodeText(Uint8Array.of(0xe9));
  if (latin === null) throw new Error("not decoded");
  expect(encodeText(latin, "é €")).toBeNull();
});

test("a file with a NUL byte is binary", () => {
  expect(decodeText(Uint8Array.of(0x61, 0x00))).toBeNull();
});
