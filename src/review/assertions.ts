import { type CodeLanguage, maskCode } from "../checkout/mask-code.ts";

/** One line that holds an assertion. */
export interface Assertion {
  /** 1-based. */
  readonly line: number;
  readonly text: string;
  /** Whether it says which value is right, and not only that there is one. */
  readonly isStrict: boolean;
}

const assertions: Readonly<Record<CodeLanguage, RegExp>> = {
  python: /(?<![\w.])assert\b|\.\s*assert\w+\s*\(|\bpytest\s*\.\s*(?:raises|warns)\b|\bself\s*\.\s*fail\s*\(/,
  javascript: /(?<![\w$.])(?:assert|expect)\b\s*[.(]|(?<![\w$])t\s*\.\s*(?:assert|is|deepEqual|throws|true|false)\b/,
};

const strict: Readonly<Record<CodeLanguage, RegExp>> = {
  python:
    /==|\bassert(?:Equals?|ListEqual|DictEqual|SetEqual|TupleEqual|AlmostEqual|Is|RaisesRegex|MultiLineEqual|CountEqual)\s*\(|\bapprox\b|\braises\b/,
  javascript:
    /\b(?:strictEqual|deepEqual|deepStrictEqual|equal|is|throws|rejects|toBe|toEqual|toStrictEqual|toBeCloseTo|toHaveLength|toMatchObject|toMatchInlineSnapshot|toThrow|toThrowError)\s*\(|===/,
};

/** The assertions of a test file by line, comments and strings left out. */
export function findAssertions(text: string, language: CodeLanguage): Assertion[] {
  const texts = text.split("\n");
  const found: Assertion[] = [];
  for (const [index, code] of maskCode(text, language).code.split("\n").entries()) {
    if (!assertions[language].test(code)) continue;
    found.push({ line: index + 1, text: (texts[index] ?? "").trim(), isStrict: strict[language].test(code) });
  }
  return found;
}

const tests: Readonly<Record<CodeLanguage, RegExp>> = {
  python: /^[ \t]*(?:async[ \t]+)?def[ \t]+(test\w*)/gm,
  javascript:
    /(?<![\w$.])(?:test|it)(?:\s*\.\s*(?:each|concurrent|only|skip)\b[^\n(]{0,80})?\s*\(\s*(["'`][^\n]{0,200})/g,
};

/** Names of the tests that a file defines, in order; as they are written, which is enough to see that one is gone. */
export function findTestNames(text: string, language: CodeLanguage): string[] {
  return Array.from(text.matchAll(tests[language]), (match) => {
    const [, name = ""] = match;
    const quote = name.charAt(0);
    return language === "python" ? name : name.slice(1, name.indexOf(quote, 1));
  });
}
