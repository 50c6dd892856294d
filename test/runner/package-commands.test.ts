import { expect, test } from "vitest";
import { resolveTestCommand } from "../../src/runner/test-command.ts";
import { tree } from "./tree.ts";

const root = {
  name: "root",
  workspaces: ["packages/*"],
  scripts: { test: "npm test --workspaces", all: "turbo run test" },
};
const files = {
  "package.json": root,
  "pnpm-workspace.yaml": "packages: ['packages/*']\n",
  "packages/web/package.json": {
    name: "@shop/web",
    scripts: { test: "node --test", lint: "eslint ." },
    dependencies: { core: "*" },
  },
  "packages/core/package.json": { name: "core", scripts: { test: "python3 -m pytest tests", lint: "eslint ." } },
  "packages/docs/package.json": { name: "docs", scripts: { test: "sh check.sh" } },
};

async function parts(command: string, more: Readonly<Record<string, string | object>> = {}) {
  const resolved = await resolveTestCommand(command, tree({ ...files, ...more }));
  return (
    resolved.parts?.map(({ shell, cwd, runner }) => [cwd.replace("/work/packages/", ""), shell, runner]) ??
    resolved.runner
  );
}

const core = ["core", "python3 -m pytest tests", "pytest"];
const web = ["web", "node --test", "node-test"];
const docs = ["docs", "sh check.sh", "command"];
const nx = { "nx.json": { targetDefaults: { test: { dependsOn: ["^test"] } } } };

test.each([
  "npm test --workspaces",
  "npm test -ws --if-present",
  "npm run test --workspaces",
  "npm run -ws test",
  "npm ci && npm test",
  "CI=1 npm test",
  "npx -y turbo run test --concurrency=4",
  "npm run all",
  "turbo test",
  "pnpm -r test",
  "pnpm -r --no-bail --stream run test",
  "pnpm --filter './packages/*' test",
  "yarn workspaces run test",
  "yarn workspaces foreach -Apt run test",
  "lerna run test --stream --concurrency 2",
  "npx nx run-many -t test --all --parallel=3",
  "nx run-many --target=test",
])("%s is the tests of every package, those that others need first", async (command) => {
  expect(await parts(command, { "turbo.json": { tasks: { test: {} } }, ...nx })).toEqual([core, docs, web]);
});

test.each([
  ["npm test -w core -w packages/web", [core, web]],
  ["npm test --workspace=core --workspace=@shop/web", [core, web]],
  ["npm test -w packages", [core, docs, web]],
  ["pnpm --filter core --filter '@shop/*' test", [core, web]],
  ["lerna run test --scope core --scope docs", [core, docs]],
  ["turbo run test --filter=core --filter=docs", [core, docs]],
  ["nx run-many -t test -p core,docs", [core, docs]],
])("%s is the tests of the packages that it chooses", async (command, expected) => {
  expect(await parts(command, { "turbo.json": { tasks: { test: { dependsOn: [] } } }, ...nx })).toEqual(expected);
});

test("what the script gets, it gets in each package", async () => {
  expect(await parts("pnpm -r test --bail")).toEqual(
    [core, docs, web].map(([folder, shell, name]) => [folder, `${shell} --bail`, name]),
  );
  expect(await parts("npm test -w core -w docs -- -x")).toEqual([
    ["core", "python3 -m pytest tests -x", "pytest"],
    ["docs", "sh check.sh -x", "command"],
  ]);
});

test("one package is no more than its own command", async () => {
  const only = await resolveTestCommand("CI=1 lerna run test --scope core", tree(files));
  expect(only).toMatchObject({ shell: "python3 -m pytest tests", cwd: "/work/packages/core", runner: "pytest" });
  expect(only.env).toMatchObject({ CI: "1", npm_package_name: "core" });
});

test.each([
  ["npm run lint --workspaces", {}],
  ["npm run lint --workspaces --if-present", {}],
  ["npm run gone --workspaces --if-present", {}],
  ["npm test --workspaces --include-workspace-root", {}],
  ["pnpm --filter '...core' test", {}],
  ["pnpm --filter '!core' -r test", {}],
  ["pnpm --filter nobody -r test", {}],
  ["yarn workspaces foreach --since run test", {}],
  ["lerna run test --since main", {}],
  ["turbo run test", {}],
  ["turbo run test --affected", { "turbo.json": { tasks: { test: {} } } }],
  ["turbo run build test", { "turbo.json": { tasks: { test: {} } } }],
  ["turbo run test", { "turbo.json": { tasks: { test: { dependsOn: ["^build"] } } } }],
  ["turbo run test", { "turbo.json": "// {" }],
  ["nx run-many -t test", { "nx.json": { plugins: ["@nx/jest/plugin"] } }],
  ["nx affected -t test", {}],
  ["pnpm -r test > log", {}],
  ["pnpm -r test | tee log", {}],
])("%s stays a plain command", async (command, more) => {
  expect(await parts(command, more)).toBe("command");
});
