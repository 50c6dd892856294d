import { expect, test } from "vitest";
import { differenceOf } from "../../src/runner/difference.ts";

test("short values need no difference", () => {
  expect(differenceOf("30", "27")).toBeNull();
});

test("within a line the words that differ are marked, and what is alike is left out", () => {
  const before = "{'name': 'Anna Andersson', 'city': 'Lund', 'lines': [1, 2, 3, 4], 'total': 120.5, 'currency': 'SEK'}";
  expect(differenceOf(before.replace("120.5", "99"), before)).toMatchInlineSnapshot(
    `"… [1, 2, 3, 4], 'total': [-120.5-]{+99+}, 'currency': 'SEK'}"`,
  );
});

test("values of several lines are compared by line, escaped line breaks included", () => {
  const text = (name: string) => `'# Report\\n\\nname: ${name}\\ntotal: 7\\nend of the report, in many words\\n'`;
  expect(differenceOf(text("Bo"), text("Eva"))).toMatchInlineSnapshot(`
    "- name: Eva\\n
    + name: Bo\\n"
  `);
});

test("values that have nothing in common are left to speak for themselves", () => {
  expect(differenceOf("abc ".repeat(30), "xyz ".repeat(30))).toBeNull();
  expect(differenceOf("x".repeat(100_000), "y".repeat(100_000))).toBeNull();
});

test("many differences are cut", () => {
  const lines = (mark: string) => Array.from({ length: 300 }, (_, n) => `line ${n} ${n % 2 ? "" : mark}`).join("\n");
  const difference = differenceOf(lines("a"), lines("b")) ?? "";
  expect(difference).toMatch(/more lines$/);
  expect(difference.split("\n").length).toBeLessThan(30);
});
