import { expect, test } from "vitest";
import { workspacePackages } from "../../src/runner/workspace-packages.ts";
import { tree } from "./tree.ts";

const manifests = {
  "packages/web/package.json": { name: "web", dependencies: { core: "*", react: "19" } },
  "packages/core/package.json": { name: "core", scripts: { test: "node --test" } },
  "packages/deep/inner/package.json": { name: "inner", devDependencies: { web: "*" } },
  "packages/core/node_modules/other/package.json": { name: "other" },
  "tools/package.json": { name: "tools" },
  "fixtures/package.json": { name: "fixtures" },
};

async function found(root: Readonly<Record<string, string | object>>, folder = "") {
  return (await workspacePackages(folder, tree({ ...manifests, ...root }))).map((each) => each.folder);
}

test.each([
  ["npm's list", { "package.json": { workspaces: ["packages/*", "./tools/"] } }],
  ["yarn's object", { "package.json": { workspaces: { packages: ["tools", "packages/*"] } } }],
  ["pnpm's file", { "pnpm-workspace.yaml": "packages:\n  - tools\n  - 'packages/*'\n" }],
  ["lerna's file", { "package.json": { name: "root" }, "lerna.json": { packages: ["packages/*", "tools"] } }],
])("packages are those that %s names, each behind what it needs", async (_, root) => {
  expect(await found(root)).toEqual(["packages/core", "packages/web", "tools"]);
});

test("patterns reach deeper, and take away", async () => {
  const root = { "pnpm-workspace.yaml": "packages: ['packages/**', '!packages/core']\n" };
  expect(await found(root)).toEqual(["packages/web", "packages/deep/inner"]);
});

test("a workspace may lie in a folder", async () => {
  expect(await found({ "packages/package.json": { workspaces: ["*"] } }, "packages")).toEqual([
    "packages/core",
    "packages/web",
  ]);
});

test("nothing is found where no manifest can be read", async () => {
  expect(await found({})).toEqual([]);
  expect(await found({ "package.json": "{" })).toEqual([]);
  expect(await found({ "pnpm-workspace.yaml": "packages: [[[" })).toEqual([]);
  expect(await found({ "package.json": { workspaces: "packages/*" } })).toEqual([]);
});

test("packages that need each other have some order, and one whose manifest is broken is left out", async () => {
  const root = {
    "package.json": { workspaces: ["p/*"] },
    "p/a/package.json": { name: "a", dependencies: { b: "*" } },
    "p/b/package.json": { name: "b", dependencies: { a: "*" } },
    "p/c/package.json": "{",
  };
  expect(await found(root)).toEqual(["p/b", "p/a"]);
});
