import { expect, test } from "vitest";
import type { FileChange } from "../../src/checkout/patch.ts";
import { judgeReproduction } from "../../src/checkout/reproduction-policy.ts";

const before = {
  entries: new Map([
    ["src/a.py", {}],
    ["tests/test_a.py", {}],
  ]) as never,
};

function rules(path: string, content = "def test_b():\n    assert 1\n"): string[] {
  const change: FileChange = { kind: "write", path, executable: false, bytes: Buffer.from(content) };
  return judgeReproduction(before, [change]).map(({ rule }) => rule);
}

test.each(["tests/test_b.py", "test_b.py", "src/b_test.py", "test/b.test.js", "src/__tests__/b.ts"])(
  "%s may be written: a new test",
  (path) => {
    expect(rules(path)).toEqual([]);
  },
);

test.each([
  ["src/a.py", "reproduce-first"],
  ["tests/test_a.py", "reproduce-first"],
  ["src/b.py", "no-test-path"],
  ["tests/conftest.py", "edits-test-configuration"],
  ["vitest.config.ts", "edits-test-configuration"],
  [".github/workflows/test_b.py", "edits-ci"],
  ["tests/pytest.py", "shadows-runner"],
  ["tests/../test_b.py", "unsafe-path"],
  ["tests/test_b.py ", "unsafe-path"],
])("%s may not: %s", (path, rule) => {
  expect(rules(path)).toEqual([rule]);
});

test("nothing is deleted, and no test is skipped", () => {
  expect(judgeReproduction(before, [{ kind: "delete", path: "tests/test_c.py" }])).toMatchObject([
    { rule: "reproduce-first" },
  ]);
  expect(rules("tests/test_b.py", "import pytest\n\n\n@pytest.mark.xfail\ndef test_b():\n    assert 0\n")).toEqual([
    "adds-skip",
  ]);
});
