import type { TestRun } from "../runner/report.ts";
import type { Target } from "../verify/target.ts";

/** Files that hold tests of the run or of the target: no patch may touch them, whatever their names. */
export function testFilesOf(run: TestRun, target: Target): string[] {
  const files = new Set(run.report?.tests.map((test) => test.file));
  for (const id of [...(target.ids ?? []), ...(run.report?.collected ?? [])]) files.add(id.split(/::| > /)[0] ?? id);
  return [...files];
}
