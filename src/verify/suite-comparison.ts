import type { TestRun } from "../runner/report.ts";

/** How often a newly red test is run again before it counts as broken by the patch. */
const reruns = 2;

/** Ids that were collected before and are not collected after: a patch must not make tests disappear. */
export function missingTests(before: TestRun, after: TestRun): string[] {
  const collected = new Set(after.report?.collected ?? []);
  const files = new Set(after.report?.tests.map((test) => test.file) ?? []);
  return (before.report?.collected ?? []).filter((id) => !collected.has(id) && !files.has(id));
}

/**
 * Ids that passed before and do not pass after, each run twice more: one that passes both times is left out, since it is the
 * test that wavers and not the patch that broke it. A test that is skipped now counts as broken.
 */
export async function findRegressions(
  before: TestRun,
  after: TestRun,
  rerun: (ids: readonly string[]) => Promise<TestRun>,
): Promise<string[]> {
  const suspects = [...passedIds(before)].filter((id) => !passedIds(after).has(id));
  if (suspects.length === 0) return [];
  const broken = new Set<string>();
  for (let round = 0; round < reruns; round += 1) {
    const passed = passedIds(await rerun(suspects));
    for (const id of suspects) if (!passed.has(id)) broken.add(id);
  }
  return suspects.filter((id) => broken.has(id));
}

function passedIds(run: TestRun): Set<string> {
  return new Set(run.report?.tests.filter((test) => test.status === "passed").map((test) => test.id) ?? []);
}
