import { expect, test } from "vitest";
import { installError } from "../../src/dependencies/install-error.ts";
import type { RunResult } from "../../src/sandbox/sandbox.ts";

function said(stderr: string, overrides: Partial<RunResult> = {}): string {
  const text = (value: string) => ({ text: value, droppedBytes: 0 });
  return installError({
    status: "exited",
    exitCode: 1,
    signal: null,
    stdout: text(""),
    stderr: text(stderr),
    ...overrides,
  });
}

test.each([
  [
    "npm warn deprecated a@1\nnpm error code E404\nnpm error 404 Not Found - GET http://r/right - Not found\nnpm error 404\nnpm error 404  'right@2' could not be found\n",
    "404 Not Found - GET http://r/right - Not found",
  ],
  [
    'npm error code ERESOLVE\nnpm error ERESOLVE could not resolve\nnpm error\nnpm error While resolving: a@1\nnpm error Could not resolve dependency:\nnpm error peer react@"^17" from b@1\n',
    'ERESOLVE could not resolve: peer react@"^17" from b@1',
  ],
  [
    "npm error code ECONNREFUSED\nnpm error syscall connect\nnpm error errno ECONNREFUSED\nnpm error FetchError: request to http://r/a failed, reason: connect ECONNREFUSED 1.2.3.4:1\n",
    "FetchError: request to http://r/a failed, reason: connect ECONNREFUSED 1.2.3.4:1",
  ],
  [
    "npm error code EUSAGE\nnpm error\nnpm error `npm ci` can only install packages when your package.json and package-lock.json are in sync.\n",
    "`npm ci` can only install packages when your package.json and package-lock.json are in sync.",
  ],
  [
    "npm error code 3\nnpm error path /work/node_modules/a\nnpm error command failed\nnpm error command sh -c node x.js\nnpm error Error: no compiler\n",
    "Error: no compiler",
  ],
  [
    "npm error code 128\nnpm error An unknown git error occurred\nnpm error command git --no-replace-objects ls-remote ssh://git@git.example/a.git\nnpm error error: cannot run ssh: No such file or directory\nnpm error fatal: unable to fork\n",
    "error: cannot run ssh: No such file or directory",
  ],
  [
    " ERR_PNPM_NO_MATCHING_VERSION  No matching version found for a@9\n\nThis error happened while",
    "ERR_PNPM_NO_MATCHING_VERSION No matching version found for a@9",
  ],
  [
    'yarn install v1.22.22\n[1/4] Resolving\nerror Couldn\'t find package "a" on the "npm" registry.\ninfo Visit',
    'Couldn\'t find package "a" on the "npm" registry.',
  ],
  ["➤ YN0000: · Yarn 4\n➤ YN0035: │ a@npm:1: Package not found\n", "YN0035: │ a@npm:1: Package not found"],
  [
    "ERROR: Could not find a version that satisfies the requirement a (from versions: none)\nERROR: No matching distribution found for a\n",
    "Could not find a version that satisfies the requirement a (from versions: none)",
  ],
  [
    "WARNING: Retrying (Retry(total=4)) after connection broken by 'NewConnectionError('<x>: Failed to establish a new connection: [Errno 111] Connection refused')': /a/\nERROR: Could not find a version that satisfies the requirement a (from versions: none)\n",
    "Could not find a version that satisfies the requirement a (from versions: none) (Connection refused)",
  ],
  [
    "  error: subprocess-exited-with-error\n  × Building wheel for a did not run successfully.\n  error: command 'gcc' failed: No such file or directory\n",
    "command 'gcc' failed: No such file or directory",
  ],
  [
    "  Preparing metadata (pyproject.toml): finished with status 'error'\n  error: subprocess-exited-with-error\n      ValueError: no such thing\n",
    "ValueError: no such thing",
  ],
  [
    "npm error code 1\nnpm error path /work/node_modules/a\nnpm error /work/node_modules/a/lib.js:115\nnpm error     throw new Error('x');\nnpm error Error: no compiler here\n",
    "Error: no compiler here",
  ],
  ["fatal: repository not found\n", "repository not found"],
  ["doing\nmake: *** No rule to make target 'x'.  Stop.\n", "make: *** No rule to make target 'x'. Stop."],
  ["\u001b[31mnpm error\u001b[39m E: red\n", "E: red"],
  ["", "exit status 1, and nothing was printed"],
])("of %j it shows %j", (output, line) => {
  expect(said(output)).toBe(line);
});

test("an end that the supervisor states goes before what was printed", () => {
  expect(said("npm error x", { status: "timeout" })).toMatch(/longer than/);
  expect(said("npm error x", { status: "oom" })).toMatch(/memory/);
  expect(said("npm error x\nthe workspace held more than 5 bytes", { status: "output-limit" })).toBe(
    "the workspace held more than 5 bytes",
  );
});

test("a line is short, whatever was printed", () => {
  expect(said(`npm error ${"x".repeat(10_000)}`)).toHaveLength(300);
});
