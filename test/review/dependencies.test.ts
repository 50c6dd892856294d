import { expect, test } from "vitest";
import { findDisagreements } from "../../src/review/agreement.ts";
import { findBumps } from "../../src/review/bumps.ts";
import { readLocked } from "../../src/review/locked.ts";
import { satisfies } from "../../src/review/satisfies.ts";
import { changed } from "./changed-text.ts";
import { checkoutOf } from "./checkout-of.ts";

const manifest = (range: string) => JSON.stringify({ dependencies: { pad: range } });
const lock = (version: string, more: object = {}) =>
  JSON.stringify({
    lockfileVersion: 3,
    packages: {
      "": {},
      "node_modules/pad": {
        version,
        resolved: `https://registry.example/pad-${version}.tgz`,
        integrity: `sha512-${version}`,
      },
      "node_modules/x/node_modules/pad": { version: "0.1.0" },
      ...more,
    },
  });

test("a bump is told by the lockfile's versions, and transitive ones follow", () => {
  const deep = { "node_modules/deep": { version: "2.0.0" } };
  const files = [
    changed("package.json", manifest("^1.0.0"), manifest("^2.0.0")),
    changed("package-lock.json", lock("1.0.3"), lock("2.1.0", deep)),
  ];
  expect(findBumps(files)).toEqual([
    { ecosystem: "npm", name: "pad", direct: true, file: "package.json", from: "1.0.3, 0.1.0", to: "2.1.0, 0.1.0" },
    { ecosystem: "npm", name: "deep", direct: false, file: "package-lock.json", from: null, to: "2.0.0" },
  ]);
});

test("Python's names are one, however they are written", () => {
  const files = [changed("requirements.txt", "Zope.Interface==5.0\n", "zope-interface==6.0\n")];
  expect(findBumps(files)).toMatchObject([{ name: "zope-interface", from: "5.0", to: "6.0", ecosystem: "python" }]);
});

test.each([
  ["package-lock.json", lock("1.0.0")],
  ["pnpm-lock.yaml", "lockfileVersion: '9.0'\npackages:\n  pad@1.0.0:\n    resolution: {integrity: sha512-a}\n"],
  ["yarn.lock", '# yarn lockfile v1\n\n\npad@^1.0.0:\n  version "1.0.0"\n  resolved "https://r.example/pad.tgz#1"\n'],
  ["yarn.lock", '__metadata:\n  version: 8\n\n"pad@npm:^1.0.0":\n  version: 1.0.0\n  checksum: 10/ab\n'],
  [
    "uv.lock",
    'version = 1\n[[package]]\nname = "pad"\nversion = "1.0.0"\nsource = { registry = "https://r.example" }\n',
  ],
  ["poetry.lock", '[[package]]\nname = "pad"\nversion = "1.0.0"\n'],
])("%s tells its versions", (path, text) => {
  expect(readLocked(path, text)?.packages.get("pad")?.[0]?.version).toBe("1.0.0");
});

test.each([
  ["package-lock.json", "{"],
  ["pnpm-lock.yaml", "a: *b"],
  ["uv.lock", "x = "],
  ["go.sum", "a"],
])("%s that cannot be read tells nothing", (path, text) => {
  expect(readLocked(path, text)).toBeNull();
});

test.each([
  ["1.2.3", "^1.0.0", "npm", true],
  ["2.0.0", "^1.0.0", "npm", false],
  ["2.0.0", "github:octo/pad", "npm", null],
  ["2.0.0", "npm:other@^2.0.0", "npm", true],
  ["1.5", ">=1.2,<2", "python", true],
  ["2.0", ">=1.2,<2", "python", false],
  ["1.4.9", "~=1.4.2", "python", true],
  ["1.5.0", "~=1.4.2", "python", false],
  ["1.5.0", "==1.*", "python", true],
  ["1.5rc1", "<2", "python", null],
] as const)("%s in %s of %s: %j", (version, range, ecosystem, expected) => {
  expect(satisfies(version, range, ecosystem)).toBe(expected);
});

test("a lockfile that the bump forgot does not fit any more", async () => {
  const files = [changed("package.json", manifest("^1.0.0"), manifest("^2.0.0"))];
  const drifted = lock("1.0.3", { "node_modules/x/node_modules/pad": { version: "1.0.1" } });
  const head = checkoutOf({ "package.json": manifest("^2.0.0"), "package-lock.json": drifted });
  expect(await findDisagreements({ head, files })).toEqual([
    {
      file: "package.json",
      anchor: "pad",
      message: "package.json asks for pad ^2.0.0, and package-lock.json has 1.0.3, 1.0.1",
    },
  ]);
});

test("a version that was published before keeps its checksum and its server", async () => {
  const files = [
    changed(
      "package-lock.json",
      lock("1.0.0"),
      lock("1.0.0").replace("sha512-1.0.0", "sha512-other").replace("registry.example", "evil.example"),
    ),
  ];
  const head = checkoutOf({ "package-lock.json": files[0]?.after ?? "" });
  expect((await findDisagreements({ head, files })).map(({ message }) => message)).toEqual([
    "pad 1.0.0 comes from evil.example, from which nothing came before",
    "pad 1.0.0 has another checksum than before, though it is the same version",
  ]);
});

test("a clean bump fits", async () => {
  const files = [
    changed("package.json", manifest("^1.0.0"), manifest("^2.0.0")),
    changed("package-lock.json", lock("1.0.0"), lock("2.0.0")),
  ];
  const head = checkoutOf({ "package.json": manifest("^2.0.0"), "package-lock.json": lock("2.0.0") });
  expect(await findDisagreements({ head, files })).toEqual([]);
});
