import { type FileReader, readPackage, readText } from "./file-reader.ts";

/** What `npm init` writes. */
const npmDefault = /no test specified/;
const pytestFile = /(^|\/)(test_[^/]+|[^/]+_test)\.py$/;
const pytestConfig = /^(pytest\.ini|\.pytest\.ini|pytest\.toml|\.pytest\.toml|conftest\.py|tests?\/conftest\.py)$/;
const pytestSections = [
  ["pyproject.toml", /^\[tool\.pytest/m],
  ["setup.cfg", /^\[tool:pytest\]/m],
  ["tox.ini", /^\[pytest\]/m],
] as const;
/** What `node --test` looks for: https://nodejs.org/api/test.html#running-tests-from-the-command-line */
const nodeFile = /(^|\/)([^/]+[._-]test|test-[^/]+|test)\.[cm]?[jt]s$|(^|\/)test\/(.+\/)?[^/]+\.[cm]?[jt]s$/;

const npm = "npm test";
const pytest = "python3 -m pytest";
const packageRunners = [
  ["vitest", "npx vitest run"],
  ["jest", "npx jest"],
] as const;

/**
 * The command that most likely runs a project's tests. What is configured comes before what only lies there; of two
 * that are configured, the one with more test files. Null when nothing is found.
 */
export async function detectTestCommand(files: FileReader): Promise<string | null> {
  const own = files.paths.filter((path) => !/(^|\/)(node_modules|\.venv|venv|site-packages)\//.test(path));
  const pythonFiles = own.filter((path) => pytestFile.test(path)).length;
  const nodeFiles = own.filter((path) => nodeFile.test(path)).length;
  const script = (await configuresScript(files)) ? npm : await packageRunner(files);
  const hasPytest = await configuresPytest(own, files);
  if (script !== null && hasPytest) return pythonFiles > nodeFiles ? pytest : script;
  if (script !== null) return script;
  if (hasPytest) return pytest;
  if (pythonFiles === 0 && nodeFiles === 0) return null;
  return pythonFiles >= nodeFiles ? pytest : "node --test";
}

async function configuresScript(files: FileReader): Promise<boolean> {
  const script = (await readPackage(files, ""))?.scripts["test"];
  return script !== undefined && script.trim() !== "" && !npmDefault.test(script);
}

/** A project that installs a test runner, and has no script for it. */
async function packageRunner(files: FileReader): Promise<string | null> {
  const manifest = await readPackage(files, "");
  const packages = { ...manifest?.dependencies, ...manifest?.devDependencies };
  return packageRunners.find(([name]) => Object.hasOwn(packages, name))?.[1] ?? null;
}

async function configuresPytest(paths: readonly string[], files: FileReader): Promise<boolean> {
  if (paths.some((path) => pytestConfig.test(path))) return true;
  for (const [path, section] of pytestSections) {
    if (section.test((await readText(files, path)) ?? "")) return true;
  }
  return false;
}
