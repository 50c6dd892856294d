import { expect, test } from "vitest";
import { findTestChanges } from "../../src/review/test-changes.ts";
import { changed } from "./changed-text.ts";

const before =
  "from shop import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n    assert total([]) == 0\n";
const rules = (after: string | null, path = "tests/test_shop.py", old: string | null = before) =>
  findTestChanges([changed(path, old, after)]).map(({ rule, line }) => `${rule}:${line}`);

test.each([
  ["an assertion goes", before.replace("    assert total([]) == 0\n", ""), ["removes-assertion:5"]],
  ["an assertion accepts more", before.replace("total([]) == 0", "total([]) is not None"), ["weakens-assertion:6"]],
  ["a test is skipped", before.replace("def test", "@pytest.mark.skip\ndef test"), ["adds-skip:4"]],
  ["a test goes", "from shop import total\n", ["removes-test:1", "removes-assertion:1"]],
  ["the file goes", null, ["removes-test:0"]],
  ["a test is renamed", before.replace("test_total", "test_sum"), []],
  ["a test is added", `${before}\n\ndef test_more():\n    assert total([4]) == 4\n`, []],
  ["another value is expected", before.replace("== 3", "== 4"), []],
])("%s", (_, after, expected) => {
  expect(rules(after)).toEqual(expected);
});

test("settings of the tests, silenced checks and longer limits are told", () => {
  const scripts = (test: string) => JSON.stringify({ scripts: { test } }, null, 2);
  expect(rules(scripts("true"), "package.json", scripts("vitest"))).toEqual(["edits-test-configuration:2"]);
  expect(rules("[pytest]\naddopts = --deselect x\n", "pytest.ini", "[pytest]\n")).toEqual([
    "edits-test-configuration:2",
  ]);
  expect(rules("a(); // eslint-disable-line\n", "src/a.js", "a();\n")).toEqual(["adds-suppression:1"]);
  expect(rules("test('a', { timeout: 90_000 }, f);\n", "a.test.js", "test('a', { timeout: 5_000 }, f);\n")).toEqual([
    "raises-timeout:1",
  ]);
});
