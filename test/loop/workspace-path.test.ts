import { expect, test } from "vitest";
import { normalizePath } from "../../src/loop/workspace-path.ts";

test.each([
  ["src/a.py", "src/a.py"],
  ["./src//a.py", "src/a.py"],
  ["/work/src/a.py", "src/a.py"],
  [" a.py ", "a.py"],
])("accepts %s", (path, expected) => {
  expect(normalizePath(path)).toBe(expected);
});

test.each([
  "../a",
  "src/../../a",
  "/etc/passwd",
  "/workspace/a",
  ".git/config",
  "src/.GIT/hooks/x",
  "",
  ".",
  "a\0b",
  "a\\b",
])("refuses %j", (path) => {
  expect(normalizePath(path)).toBeNull();
});
