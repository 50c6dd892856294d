import { expect, test } from "vitest";
import { commandFiles } from "../../src/runner/command-files.ts";
import type { TestCommand } from "../../src/runner/test-command.ts";

const paths = [
  "tools/check_types.py",
  "check.sh",
  "web/lint.mjs",
  "main.py",
  "scripts/build.mjs",
  "checkout.py",
  "a-check.js",
];

function named(shell: string, cwd = "/work", parts: readonly TestCommand[] = []): string[] {
  return commandFiles({ shell, cwd, env: {}, runner: "command", parts }, paths);
}

test.each([
  ["python -m compileall -q src && python tools/check_types.py", ["tools/check_types.py"]],
  ["sh check.sh", ["check.sh"]],
  ["/work/check.sh --fast && node ./a-check.js", ["check.sh", "a-check.js"]],
  ["python main.py", []],
  ["node scripts/build.mjs", []],
  ["python checkout.py", []],
  ["echo $(sh check.sh)", []],
])("files that judge in %s", (shell, expected) => {
  expect(named(shell)).toEqual(expected);
});

test("names are read in the command's folder, and in those of its packages", () => {
  expect(named("node lint.mjs", "/work/web")).toEqual(["web/lint.mjs"]);
  const part: TestCommand = { shell: "node lint.mjs", cwd: "/work/web", env: {}, runner: "command" };
  expect(named("npm run lint --workspaces", "/work", [part])).toEqual(["web/lint.mjs"]);
});
