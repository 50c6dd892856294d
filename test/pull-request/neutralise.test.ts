import { expect, test } from "vitest";
import {
  codeBlock,
  codeSpan,
  patchBlock,
  plainLine,
  plainMarkdown,
  tableCell,
} from "../../src/pull-request/neutralise.ts";

/** Zero-width spaces made visible. */
function seen(text: string): string {
  return text.replaceAll("\u200b", "·");
}

test.each([
  ["@ada and @acme/core, not a@ b", "@·ada and @·acme/core, not a@ b"],
  ["Fixes #1, closes acme/shop#2, GH-3", "Fixes #·1, closes acme/shop#·2, GH-·3"],
  ["see https://evil.example and www.evil.example", "see https:·//evil.example and www·.evil.example"],
  ["/autolith fix\n> /merge\n- /lgtm", "·/autolith fix\n> ·/merge\n- ·/lgtm"],
  ["<img src=x> <!-- a --> a & b", "&lt;img src=x> &lt;!-- a --> a &amp; b"],
  ["![a](b) [a](b) [a][b]\n[a]: b", "!·[a]·(b) [a]·(b) [a]·[b]\n[a]·: b"],
  ["# Proof\n| a |\ntext\n---\n***", "\\# Proof\n\\| a |\ntext\n·---\n·***"],
  ["```js\n~~~", "`·`·`js\n~·~·~"],
  ["[skip ci] [CI Skip]", "[·skip ci] [·CI Skip]"],
  ["a\u202eb\u{e0041}", "ab"],
  ["a / b, C# 7, 3 < 4, x@y", "a / b, C# 7, 3 &lt; 4, x@·y"],
])("%j as Markdown only says something", (text, plain) => {
  expect(seen(plainMarkdown(text))).toBe(plain);
});

test("a line that is not rendered keeps its characters and acts on nothing", () => {
  expect(seen(plainLine("Compare a < b & c\n/merge @ada #1"))).toBe("Compare a < b & c /merge @·ada #·1");
});

test.each([
  ["a", "`a`"],
  ["a`b", "``a`b``"],
  ["`a", "`` `a ``"],
  ["a\nb  c", "`a b c`"],
  ["", ""],
])("%j cannot end its code span", (text, span) => {
  expect(codeSpan(text)).toBe(span);
});

test("a table cell stays one cell of one line", () => {
  expect(tableCell("a | b\nc", 100)).toBe("a \\| b c");
  expect(tableCell("x".repeat(200), 10)).toBe(`${"x".repeat(9)}…`);
});

test("a code block outlasts the fences in it, and gives no command", () => {
  const block = codeBlock("````\n/merge\n  /lgtm\n@dependabot rebase\n@dataclass\n/* c */");
  expect(seen(block)).toBe("`````\n````\n·/merge\n  ·/lgtm\n@·dependabot rebase\n@dataclass\n/* c */\n`````");
});

test("a patch is kept character for character", () => {
  expect(patchBlock("+```\n+@dependabot\n")).toBe("````diff\n+```\n+@dependabot\n````");
});
