import { expect, test } from "vitest";
import { type InstallPlan, kept } from "../../src/dependencies/install-plan.ts";
import { planInstall } from "../../src/dependencies/plan.ts";
import type { RunnerName } from "../../src/runner/report.ts";

/** What is planned for a project whose tests run in a folder. */
function plan(
  contents: Readonly<Record<string, string>>,
  { runner = "command", folder = "", setup }: { runner?: RunnerName; folder?: string; setup?: readonly string[] } = {},
): Promise<InstallPlan | null> {
  const files = {
    paths: Object.keys(contents),
    read: async (path: string) => (contents[path] === undefined ? null : Buffer.from(contents[path])),
  };
  const command = { shell: "x", cwd: folder === "" ? "/work" : `/work/${folder}`, env: {}, runner };
  return planInstall({ files, command, setup });
}

function words(found: InstallPlan | null): string[] {
  return (found?.steps ?? []).flatMap(({ attempts }) => attempts.slice(0, 1).map(({ argv }) => argv.join(" ")));
}

const manifest = '{ "dependencies": { "left": "1.0.0" } }';
const venv = `python3 -I /opt/autolith/install/make_environment.py ${kept}/venv`;
const pip = `${kept}/venv/bin/python -m pip install --only-binary :all:`;

test.each([
  ["no manifest", {}],
  ["a manifest without dependencies", { "package.json": '{ "name": "a" }', "package-lock.json": "{}" }],
  ["a manifest that is no JSON", { "package.json": "{" }],
  ["a Python project that names none", { "pyproject.toml": '[project]\nname = "a"\nversion = "1"\n' }],
  ["settings of tools only", { "pyproject.toml": "[tool.pytest.ini_options]\n" }],
  ["a broken pyproject.toml", { "pyproject.toml": "[" }],
])("with %s nothing is installed", async (_, files) => {
  expect(await plan(files)).toBeNull();
});

test.each([
  ["package-lock.json", "", "npm ci --ignore-scripts"],
  ["npm-shrinkwrap.json", "", "npm ci --ignore-scripts"],
  ["pnpm-lock.yaml", "lockfileVersion: '9.0'\n", "pnpm install --ignore-scripts --frozen-lockfile"],
  ["yarn.lock", "# yarn lockfile v1\n", "--frozen-lockfile"],
  ["yarn.lock", "__metadata:\n  version: 8\n", "yarn install --immutable"],
])("%s is installed as it stands", async (name, text, wanted) => {
  const found = await plan({ "package.json": manifest, [name]: text });
  expect(words(found).join("\n")).toContain(wanted);
  expect(found).toMatchObject({ files: [name, "package.json"], ownCode: false, notes: [] });
});

test.each([
  ["pnpm-lock.yaml", "lockfileVersion: 5.4\n", undefined, "pnpm@7"],
  ["pnpm-lock.yaml", "lockfileVersion: '6.0'\n", undefined, "pnpm@8"],
  ["pnpm-lock.yaml", "lockfileVersion: '9.0'\n", undefined, "pnpm@10"],
  ["pnpm-lock.yaml", "lockfileVersion: '9.0'\n", "pnpm@9.1.2+sha256.abc", "pnpm@9.1.2"],
  ["yarn.lock", "# yarn lockfile v1\n", undefined, "yarn@1"],
  ["yarn.lock", "# yarn lockfile v1\n", "yarn@1.22.19", "yarn@1.22.19"],
  ["yarn.lock", "__metadata:\n  version: 6\n", undefined, "@yarnpkg/cli-dist@3"],
  ["yarn.lock", "__metadata:\n  version: 8\n  cacheKey: 10\n", "yarn@4.5.0", "@yarnpkg/cli-dist@4.5.0"],
])("%s (%j, packageManager %s) has its package manager from %4$s", async (name, text, packageManager, wanted) => {
  const json = JSON.stringify({ ...JSON.parse(manifest), packageManager });
  const [first = ""] = words(await plan({ "package.json": json, [name]: text }));
  expect(first).toBe(`npm install --global --ignore-scripts --prefix=${kept}/tools ${wanted}`);
});

test("a package manager is no word of a shell, and no option", async () => {
  for (const packageManager of ["pnpm@1.0.0; id", "pnpm@--version", "../x@1.0.0", "pnpm@latest"]) {
    const json = JSON.stringify({ ...JSON.parse(manifest), packageManager });
    expect(words(await plan({ "package.json": json }))[0]).toBe(
      "npm install --ignore-scripts --no-save --no-package-lock",
    );
  }
});

test("without a lockfile, peers that conflict are accepted in a second try, and that is said", async () => {
  const attempts = (await plan({ "package.json": manifest }))?.steps[0]?.attempts ?? [];
  expect(attempts.map(({ argv }) => argv.at(-1))).toEqual(["--no-package-lock", "--legacy-peer-deps"]);
  expect(attempts.map(({ note }) => note)).toEqual([null, expect.stringContaining("conflicts")]);
  const locked = { "package.json": manifest, "package-lock.json": "{}" };
  expect((await plan(locked))?.steps[0]?.attempts.length).toBe(1);
});

test("without a lockfile the newest packages are installed, and that is said", async () => {
  expect((await plan({ "package.json": manifest }))?.notes).toEqual([expect.stringContaining("no lockfile")]);
});

test("the nearest lockfile above the tests is the project's, before a nearer manifest", async () => {
  const files = {
    "package.json": '{ "workspaces": ["packages/*"] }',
    "package-lock.json": "",
    "packages/a/package.json": manifest,
  };
  const found = await plan(files, { folder: "packages/a", runner: "node-test" });
  expect(found?.steps[0]?.attempts[0]?.cwd).toBe("/work");
  expect(found?.files).toContain("packages/a/package.json");
  const own = await plan({ ...files, "packages/a/yarn.lock": "" }, { folder: "packages/a", runner: "node-test" });
  expect(own?.steps[1]?.attempts[0]?.cwd).toBe("/work/packages/a");
});

test("code of the project itself that runs on install binds the layer to the tree, what only sets up git does not", async () => {
  const withScript = (prepare: string) => ({
    "package.json": JSON.stringify({ ...JSON.parse(manifest), scripts: { prepare } }),
  });
  expect(await plan(withScript("husky"))).toMatchObject({ ownCode: false });
  expect(await plan(withScript("tsc -b"))).toMatchObject({ ownCode: true });
});

test("requirement files are given to pip, with what they name deciding as well", async () => {
  const found = await plan({
    "requirements.txt": "-r base/all.in\nleft==1\n",
    "requirements-dev.txt": "-c constraints.txt\n",
    "requirements-docs.txt": "sphinx\n",
    "base/all.in": "",
    "constraints.txt": "",
  });
  expect(words(found)).toEqual([venv, `${pip} -r requirements.txt -r requirements-dev.txt`]);
  expect(found?.files.toSorted()).toEqual([
    ...["base/all.in", "constraints.txt", "requirements-dev.txt", "requirements.txt"],
  ]);
});

test("a project is linked, with the extras and groups that tests need", async () => {
  const toml =
    '[build-system]\nrequires = []\n[project]\nname = "a"\nversion = "1"\ndependencies = ["left"]\n[project.optional-dependencies]\ntest = ["t"]\ndocs = ["d"]\n[dependency-groups]\ndev = ["g"]\nlint = ["l"]\n';
  const found = await plan({ "pyproject.toml": toml });
  expect(words(found)).toEqual([venv, `${pip} --group dev -e .[test]`]);
  const attempts = found?.steps[1]?.attempts.map(({ argv }) => argv.slice(-4).join(" "));
  expect(attempts?.at(-2)).toBe("--group dev left t");
  expect(attempts?.at(-1)).toBe("/work /work/src -- left");
});

test("a project that only its set-up program knows is used as it is, when that cannot run", async () => {
  const found = await plan({ "setup.py": "", "requirements.txt": "left\n" });
  expect(found?.steps[1]?.attempts.at(-1)?.argv.slice(-5).join(" ")).toBe("/work /work/src -- -r requirements.txt");
  expect(found?.steps[1]?.attempts.at(-1)?.note).toContain("what it needs is not known");
});

test("a project that is no package has its requirements installed, and no options of its own", async () => {
  const toml = '[project]\nname = "a"\nversion = "1"\ndependencies = ["left>=1", "--index-url=http://evil"]\n';
  expect(words(await plan({ "pyproject.toml": toml }))).toEqual([venv, `${pip} left>=1`]);
});

test("code below src is installed, since its tests find it in no other way", async () => {
  const files = { "pyproject.toml": '[project]\nname = "a"\nversion = "1"\n', "src/a/__init__.py": "" };
  expect(words(await plan(files))).toEqual([venv, `${pip} -e .`]);
});

test("the tests' own language decides, where it is known", async () => {
  const files = { "package.json": manifest, "requirements.txt": "left" };
  expect((await plan(files, { runner: "pytest" }))?.manager).toBe("pip");
  expect((await plan(files, { runner: "node-test" }))?.manager).toBe("npm");
  expect((await plan(files))?.manager).toBe("npm + pip");
});

test("commands of the configuration are run in place of all that", async () => {
  const files = { "package.json": manifest, "requirements.txt": "left", "tools/setup.sh": "", "a.py": "" };
  const found = await plan(files, { setup: ["pip install -r requirements.txt"] });
  expect(words(found)).toEqual([venv, "sh -ec pip install -r requirements.txt"]);
  expect(found).toMatchObject({ manager: "setup", ownCode: false });
  const other = await plan(files, { setup: ["./tools/setup.sh --fast"] });
  expect(other?.ownCode).toBe(true);
  expect(other?.files).toContain("tools/setup.sh");
  expect(await plan(files, { setup: [] })).toBeNull();
});
