import type { TestRun, TestStatus } from "../runner/report.ts";

/** How often a newly red test is run again before it counts as broken by the patch. */
const reruns = 2;
const red = ["failed", "error"] as const satisfies TestStatus[];
/** Neither green nor red. */
const unjudged = ["skipped", "xfailed", "xpassed"] as const satisfies TestStatus[];

/** Ids that were collected before and are not collected after: a patch must not make tests disappear. */
export function missingTests(before: TestRun, after: TestRun): string[] {
  const collected = new Set(after.report?.collected ?? []);
  const files = new Set(after.report?.tests.map((test) => test.file) ?? []);
  return (before.report?.collected ?? []).filter((id) => !collected.has(id) && !files.has(id));
}

/**
 * Ids that passed before and do not pass after, and ids that were skipped or expected to fail before and are red after. Each
 * is run twice more: one that is as before both times is left out, since it is the test that wavers and not the patch that
 * broke it. A test that passed and is skipped now counts as broken.
 */
export async function findRegressions(
  before: TestRun,
  after: TestRun,
  rerun: (ids: readonly string[]) => Promise<TestRun>,
): Promise<string[]> {
  const passedBefore = passedIds(before);
  const isBroken = brokenIn(after);
  const suspects = [...passedBefore, ...idsOf(before, unjudged)].filter((id) => isBroken(id, passedBefore.has(id)));
  if (suspects.length === 0) return [];
  const broken = new Set<string>();
  for (let round = 0; round < reruns; round += 1) {
    const isBrokenAgain = brokenIn(await rerun(suspects));
    for (const id of suspects) if (isBrokenAgain(id, passedBefore.has(id))) broken.add(id);
  }
  return suspects.filter((id) => broken.has(id));
}

/** Tells of a test, by whether it passed before, that a run shows it broken. */
function brokenIn(run: TestRun): (id: string, passedBefore: boolean) => boolean {
  const [passed, failing] = [passedIds(run), new Set(idsOf(run, red))];
  return (id, passedBefore) => (passedBefore ? !passed.has(id) : failing.has(id));
}

function passedIds(run: TestRun): Set<string> {
  return new Set(idsOf(run, ["passed"]));
}

function idsOf(run: TestRun, statuses: readonly TestStatus[]): string[] {
  return run.report?.tests.filter(({ status }) => statuses.includes(status)).map(({ id }) => id) ?? [];
}
