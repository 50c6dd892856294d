import type { PatchPolicyContext } from "../checkout/patch-policy.ts";
import type { TestRun } from "../runner/report.ts";
import type { Target } from "../verify/target.ts";

/**
 * Files that hold tests of the run or of the target: no patch may touch them, whatever their names. Of a source whose only tests
 * are doctests, the examples may not be touched.
 */
export function testFilesOf(
  run: TestRun,
  target: Target,
): Required<Pick<PatchPolicyContext, "testFiles" | "doctestFiles">> {
  const files = new Map<string, boolean>();
  const add = (file: string, isDoctest: boolean) => files.set(file, isDoctest && files.get(file) !== false);
  for (const { file, id } of run.report?.tests ?? []) add(file, isDoctest(id));
  for (const id of [...(target.ids ?? []), ...(run.report?.collected ?? [])]) add(fileOf(id), isDoctest(id));
  const [doctestFiles, testFiles] = [true, false].map((kind) =>
    [...files].filter(([, is]) => is === kind).map(([file]) => file),
  );
  return { testFiles: testFiles ?? [], doctestFiles: doctestFiles ?? [] };
}

function fileOf(id: string): string {
  return id.split(/::| > /)[0] ?? id;
}

/** pytest names a docstring's test by the dotted name of what it documents, module included: `src/a/b.py::a.b.Shape.area`. */
function isDoctest(id: string): boolean {
  const [file = "", name = "", ...more] = id.split("::");
  if (!file.endsWith(".py") || name === "" || more.length > 0) return false;
  const parts = file.replace(/(?:\/__init__)?\.py$/, "").split("/");
  return parts.some((_, index) => {
    const module = parts.slice(index).join(".");
    return name === module || name.startsWith(`${module}.`);
  });
}
