import { posix } from "node:path";
import type { FileReader } from "../runner/file-reader.ts";
import { type InstallPlan, type InstallStep, kept, programs, step, workspace } from "./install-plan.ts";
import { type PythonProject, pythonProject } from "./python-project.ts";
import { type Requirements, requirementFiles } from "./requirement-files.ts";

const python = `${kept}/venv/bin/python`;
const install = [python, "-m", "pip", "install"];
const wheels = ["--only-binary", ":all:"];

/**
 * How the packages of a Python project are installed: the one that owns the folder where the tests run, which is the nearest that
 * names any. Null when there is nothing to install.
 */
export async function planPython(files: FileReader, folder: string): Promise<InstallPlan | null> {
  const parts = folder === "" ? [] : folder.split("/");
  const upward = [...parts.keys(), parts.length].map((count) => parts.slice(0, count).join("/")).toReversed();
  for (const each of upward) {
    const plan = await planIn(files, each);
    if (plan !== null) return plan;
  }
  return null;
}

/** Makes the virtual environment that everything of Python is installed into; it sees what the image has. */
export const makeEnvironment: InstallStep = step("python -m venv", {
  argv: ["python3", "-I", `${programs}/make_environment.py`, `${kept}/venv`],
  cwd: workspace,
  env: {},
});

async function planIn(files: FileReader, folder: string): Promise<InstallPlan | null> {
  const [requirements, project] = await Promise.all([requirementFiles(files, folder), pythonProject(files, folder)]);
  const wanted = argumentsOf(requirements, project, folder);
  if (wanted.length === 0) return null;
  const cwd = posix.join(workspace, folder);
  const attempt = (argv: readonly string[], note: string | null) => ({ argv, cwd, env: {}, note });
  const attempts = [
    attempt([...install, ...wheels, ...wanted], null),
    attempt([...install, ...wanted], "some packages had to be built"),
  ];
  if (project !== null && hasOwnList(project, requirements)) {
    attempts.push(attempt(unbuilt(cwd, argumentsOf(requirements, asPlain(project), folder)), notBuilt));
  }
  if (project?.isPackage === true && !project.isStatic && requirements.projects.length === 0) {
    const files = argumentsOf(requirements, null, folder);
    attempts.push(
      attempt(unbuilt(cwd, files), "the project itself could not be built, and what it needs is not known"),
    );
  }
  if (project !== null && hasExtras(project)) {
    const least = argumentsOf(requirements, asPlain(withoutExtras(project)), folder);
    attempts.push(attempt(unbuilt(cwd, least), "what only its tests and its developers need could not be installed"));
  }
  return {
    manager: "pip",
    steps: [makeEnvironment, { name: "pip install", attempts, when: "always" }],
    files: [...requirements.all, ...(project?.files ?? []), ...ownFiles(files, requirements)],
    ownCode: false,
    notes: [],
  };
}

const notBuilt = "the project itself could not be built: what it needs was installed without it";

function unbuilt(cwd: string, wanted: readonly string[]): string[] {
  return [python, "-I", `${programs}/without_build.py`, cwd, posix.join(cwd, "src"), "--", ...wanted];
}

function asPlain(project: PythonProject): PythonProject {
  return { ...project, isPackage: false };
}

/** Tests often need none of what a project lists for its developers, such as linters. */
function withoutExtras(project: PythonProject): PythonProject {
  return { ...project, extras: [], extraDependencies: [], groups: [] };
}

function hasExtras({ extraDependencies, groups, isStatic }: PythonProject): boolean {
  return isStatic && extraDependencies.length + groups.length > 0;
}

/** Whether what it needs is known without building it. */
function hasOwnList(project: PythonProject, { projects }: Requirements): boolean {
  return project.isPackage && project.isStatic && projects.length === 0;
}

/** The project is linked and not copied, so that its tests see every edit. */
function argumentsOf(requirements: Requirements, project: PythonProject | null, folder: string): string[] {
  const files = requirements.files.flatMap((path) => ["-r", posix.relative(folder, path)]);
  if (project === null) return files;
  const groups = project.groups.flatMap((name) => ["--group", name]);
  if (project.isPackage && !requirements.projects.includes(folder)) {
    return [...files, ...groups, "-e", project.extras.length === 0 ? "." : `.[${project.extras.join(",")}]`];
  }
  return [...files, ...groups, ...project.dependencies, ...project.extraDependencies];
}

/** Manifests of the folders that requirement files install. */
function ownFiles(files: FileReader, { projects }: Requirements): string[] {
  const names = projects.flatMap((each) =>
    ["pyproject.toml", "setup.py", "setup.cfg"].map((name) => posix.join(each, name)),
  );
  return names.filter((path) => files.paths.includes(path));
}
