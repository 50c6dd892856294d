import { expect, test } from "vitest";
import { javascriptUses } from "../../src/review/javascript-call-sites.ts";

const lines = (path: string, text: string) =>
  javascriptUses(path, text, "pad").map(({ line, text: shown }) => `${line} ${shown}`);

test.each([
  ["a.js", 'import pad from "pad";\nexport const a = pad("x", 3);\n', ['2 pad("x", 3)']],
  ["a.ts", 'import { left as l } from "pad/sub";\nconst a: string = l<string>("x");\n', ['2 l<string>("x")']],
  ["a.cjs", 'const { left, right: r } = require("pad");\nleft(1); r(2);\n', ["2 left(1)", "2 r(2)"]],
  ["a.mjs", 'const pad = await import("pad");\npad.default.left(1);\n', ["2 pad.default.left(1)"]],
  ["a.js", 'require("pad")("x");\n', ['1 require("pad")("x")']],
  ["a.tsx", 'import { Box } from "pad";\nexport const A = () => <Box size={3} />;\n', ["2 <Box size={3} />"]],
  ["a.js", 'import * as p from "pad";\nnew p.Padder();\np.tag`x`;\n', ["2 new p.Padder()", "3 p.tag`x`"]],
  ["a.ts", 'export * from "pad";\n', ['1 export * from "pad";']],
  ["a.ts", 'import type { Options } from "pad";\n', ['1 import type { Options } from "pad";']],
])("%s: calls are found in %j", (path, text, expected) => {
  expect(lines(path, text)).toEqual(expected);
});

test("words in strings and comments, other packages and broken files are no calls", () => {
  expect(lines("a.js", '// pad("x")\nconst s = "pad(1)";\nimport pad from "pad-left";\npad(1);\n')).toEqual([]);
  expect(lines("a.js", 'import pad from "pad"; }}} (((')).toEqual([]);
});
