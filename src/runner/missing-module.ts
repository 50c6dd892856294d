import type { EnvironmentProblem, Failure } from "./environment-problem.ts";

/**
 * `No module named 'a.b'` is said of `b` once `a` was found: then the code asks a present package for what it has not.
 */
const pythonModule = /(?:ModuleNotFoundError: No module named '([^'.]+)'|^\S*python\S*: No module named (\w+)$)/m;
/** A bare specifier: no path, no `#alias`, no builtin of node. */
const nodePackage = /Cannot find (?:package|module) '((?![./#]|node:|file:|[a-zA-Z]:\\)[^']+)'/;
/** The same in the words of vite: "Failed to resolve import" and, of its module loader, "Failed to load url". */
const vitePackage = /Failed to (?:resolve import "|load url )((?![./#~]|@\/|node:|file:|virtual:|[a-zA-Z]:\\)[^\s"]+)/;

/** A package that is not installed. One that the workspace has itself, or nearly has, is a bug like any other. */
export function missingModule({ text }: Failure, paths: readonly string[]): EnvironmentProblem | null {
  const python = pythonModule.exec(text);
  const name = python?.[1] ?? python?.[2] ?? packageOf((nodePackage.exec(text) ?? vitePackage.exec(text))?.[1]);
  if (name === undefined || isOwn(name, paths)) return null;
  return { kind: "missing-package", detail: `the package ${name} is not installed in the sandbox` };
}

function packageOf(specifier: string | undefined): string | undefined {
  return specifier
    ?.split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

function isOwn(name: string, paths: readonly string[]): boolean {
  const wanted = plain(name.split("/").at(-1) ?? name);
  const names = new Set(
    paths.flatMap((path) => path.split("/").map((part) => plain(part.replace(/\.[cm]?[jt]sx?$|\.py$/, "")))),
  );
  return names.has(wanted) || [...names].some((own) => own.length > 3 && isTypo(own, wanted));
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll("-", "_");
}

/** True when one inserted, lost, wrong or swapped letter makes the difference. */
function isTypo(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < Math.min(one.length, other.length) - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const [left, right] = [one.slice(start, one.length - end), other.slice(start, other.length - end)];
  const isSwap = left.length === 2 && left[0] === right[1] && left[1] === right[0];
  return (left.length <= 1 && right.length <= 1) || isSwap;
}
