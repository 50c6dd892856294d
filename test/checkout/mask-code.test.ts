import { expect, test } from "vitest";
import { languageOf, maskCode } from "../../src/checkout/mask-code.ts";
import { expectLinear } from "../linear-time.ts";

const cases: [string, "python" | "javascript", string, string][] = [
  ["a comment", "python", "x = 1  # skip\ny", "x = 1        \ny"],
  ["a string", "python", 'f(\'a # b\', "c\\"d")', "f('     ', \"    \")"],
  ["a docstring over lines", "python", '"""a\n\'"\\"""\nb"""; x', '"   \n      \n   "; x'],
  ["a string that is not closed", "python", "x = 'abc\ny = 1", "x = '  c\ny = 1"],
  ["a line comment", "javascript", "a(); // b\nc", "a();     \nc"],
  ["a block comment", "javascript", "a /* b\nc */ d", "a     \n     d"],
  ["a template with code in it", "javascript", `x = \`a \${ f(\`}\`) } b\`; y`, "x = `               `; y"],
  ["a regular expression", "javascript", "x = /[/'\"]\\//g; y = a / b / c", "x = /       /g; y = a / b / c"],
  ["a regular expression after return", "javascript", "return /'/.test(x)", "return / /.test(x)"],
  ["a division", "javascript", "a = (b) / c; d = 'e'", "a = (b) / c; d = ' '"],
];

test.each(cases)("blanks %s", (_, language, text, code) => {
  const masked = maskCode(text, language);
  expect(masked.code).toBe(code);
  expect(masked.comments).toHaveLength(text.length);
});

test("keeps the text of comments in their places", () => {
  expect(maskCode("x = 1  # why\n'# no'\n", "python").comments).toBe("       # why\n      \n");
});

test.each(["`${", "=/[", '"""', "'\\", "/*"])("takes a text of %j in linear time", (piece) => {
  for (const language of ["python", "javascript"] as const) {
    expect(maskCode(piece.repeat(1_001), language).code).toHaveLength(1_001 * piece.length);
    expectLinear((size) => maskCode(piece.repeat(size), language), 300_000);
  }
});

test.each([
  ["a.py", "", "python"],
  ["A.PYI", "", "python"],
  ["a.mjs", "", "javascript"],
  ["a.tsx", "", "javascript"],
  ["bin/run", "#!/usr/bin/env python3\n", "python"],
  ["bin/run", "#!/usr/bin/env -S node --x\n", "javascript"],
  ["a.md", "", null],
])("knows the language of %s", (path, text, language) => {
  expect(languageOf(path, text)).toBe(language);
});
