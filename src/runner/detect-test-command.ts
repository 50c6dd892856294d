import { z } from "zod";
import type { FileReader } from "./test-command.ts";

const npmDefault = /no test specified/;
const pytestFile = /(^|\/)(test_[^/]+|[^/]+_test)\.py$/;
const pytestConfig = /^(pytest\.ini|\.pytest\.ini|conftest\.py|tests?\/conftest\.py)$/;
const nodeTestFile = /(^|\/)([^/]+[.-]test|test-[^/]+|test)\.[cm]?js$|(^|\/)test\/[^/]+\.[cm]?js$/;

const packageJson = z.object({ scripts: z.object({ test: z.string().optional() }).optional() });

/**
 * The command that most likely runs a project's tests: what is configured comes before what only lies there, and a package script before pytest.
 * Null when nothing is found.
 */
export async function detectTestCommand(files: FileReader): Promise<string | null> {
  const script = await testScript(files);
  if (script !== null) return "npm test";
  if (await configuresPytest(files)) return "python3 -m pytest";
  if (files.paths.some((path) => pytestFile.test(path))) return "python3 -m pytest";
  return files.paths.some((path) => nodeTestFile.test(path)) ? "node --test" : null;
}

async function testScript(files: FileReader): Promise<string | null> {
  const text = await textOf(files, "package.json");
  if (text === null) return null;
  try {
    const script = packageJson.parse(JSON.parse(text)).scripts?.test;
    return script === undefined || npmDefault.test(script) ? null : script;
  } catch {
    return null;
  }
}

async function configuresPytest(files: FileReader): Promise<boolean> {
  if (files.paths.some((path) => pytestConfig.test(path))) return true;
  const sections: readonly [string, RegExp][] = [
    ["pyproject.toml", /^\[tool\.pytest/m],
    ["setup.cfg", /^\[tool:pytest\]/m],
    ["tox.ini", /^\[pytest\]/m],
  ];
  for (const [path, section] of sections) {
    if (section.test((await textOf(files, path)) ?? "")) return true;
  }
  return false;
}

async function textOf(files: FileReader, path: string): Promise<string | null> {
  const bytes = await files.read(path);
  return bytes === null ? null : Buffer.from(bytes).toString("utf8");
}
