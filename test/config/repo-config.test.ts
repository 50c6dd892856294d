import { expect, test } from "vitest";
import { parseRepoConfig } from "../../src/config/repo-config.ts";

test("an empty file is all defaults", () => {
  expect(parseRepoConfig("")).toEqual({ kind: "valid", config: {} });
});

test("the test command is read", () => {
  expect(parseRepoConfig("test: npm test\n")).toEqual({ kind: "valid", config: { test: "npm test" } });
});

test("commands that install are read, also when there are none", () => {
  expect(parseRepoConfig("setup:\n  - make deps\n")).toEqual({ kind: "valid", config: { setup: ["make deps"] } });
  expect(parseRepoConfig("setup: []\n")).toEqual({ kind: "valid", config: { setup: [] } });
  expect(parseRepoConfig("test: x\nsetup: make deps\n")).toMatchObject({ kind: "invalid", line: 2 });
});

test("an unknown key is reported with its line", () => {
  expect(parseRepoConfig("test: npm test\n\ntets: x\n")).toMatchObject({
    kind: "invalid",
    line: 3,
    message: expect.stringContaining("tets"),
  });
});

test("a syntax error is reported with its line", () => {
  expect(parseRepoConfig("test: npm\nbad: : x\n")).toMatchObject({ kind: "invalid", line: 2 });
});

test("a value of the wrong type is reported with its line", () => {
  expect(parseRepoConfig("\ntest:\n  - a\n")).toMatchObject({ kind: "invalid", line: 3 });
});
