import { applyPatch } from "../checkout/apply-patch.ts";
import type { FileChange } from "../checkout/patch.ts";
import { type Checkout, checkoutOfTree } from "../checkout/snapshot.ts";
import { describeRun } from "../runner/describe-run.ts";
import type { TestCase, TestRun } from "../runner/report.ts";
import type { TestCommand } from "../runner/test-command.ts";
import type { StartSandbox } from "../sandbox/sandbox.ts";
import type { Trace } from "../trace/recorder.ts";
import { ProvingGround } from "./proving-ground.ts";
import { whyItShowsNothing } from "./shows-report.ts";
import { findRegressions, missingTests } from "./suite-comparison.ts";
import { greenIds } from "./target.ts";

/** A new file, with its bytes. */
export type NewFile = Extract<FileChange, { kind: "write" }>;

/** A test that fails because of what was reported. */
export interface Reproduction {
  readonly test: NewFile;
  /** Its tests that fail; what must turn green. */
  readonly ids: readonly string[];
  /** The start commit with the test added: what the repair starts from, and what it is held against. */
  readonly frozen: Checkout;
  /** A red run of it. */
  readonly run: TestRun;
}

export type ReproductionVerdict =
  | { readonly kind: "accepted"; readonly reproduction: Reproduction }
  /** The reasons are written for the model and for people. */
  | { readonly kind: "refused"; readonly reasons: readonly string[] };

export interface VerifyReproductionOptions {
  readonly startSandbox: StartSandbox;
  /** The start commit. */
  readonly checkout: Checkout;
  readonly test: NewFile;
  readonly command: TestCommand;
  /** Limit of one test run, in milliseconds. */
  readonly timeoutMs: number;
  readonly trace: Trace;
}

/** Seeds of Python's string hashes under which the failing tests are run again. */
const againWith = ["0", "random"] as const;

/**
 * Looks in a container that nobody has worked in whether a test file shows something: on the start commit plus this one file its tests
 * are collected and fail in their bodies, every time, because of what the project does; nothing else is affected.
 */
export async function verifyReproduction(
  options: VerifyReproductionOptions,
  signal: AbortSignal,
): Promise<ReproductionVerdict> {
  const { checkout, test, command } = options;
  const { store, tree } = checkout;
  const frozen = await checkoutOfTree(store, await applyPatch(store, tree, [test], signal), signal);
  await using sandbox = await options.startSandbox(signal);
  const ground = new ProvingGround({ ...options, sandbox, patched: frozen, label: "reproduction" }, signal);

  const before = await ground.unpatched("without the test");
  const run = await ground.patched("with the test", { reach: true });
  if (run.report?.complete !== true) return refuse(unfinished, run);
  const tests = newTests(test.path, before, run);
  const objection = objectionTo(tests, test, command);
  if (objection !== null)
    return refuse(
      objection,
      run,
      tests.map(({ id }) => id),
    );

  const missing = missingTests(before, run);
  if (missing.length > 0) return refuse(`with the test, others are not collected any more: ${listed(missing)}`, run);
  const broken = await findRegressions(before, run, (select) => ground.again("newly red, again", { select }));
  if (broken.length > 0) return refuse(`with the test, others fail that passed before: ${listed(broken)}`, run, broken);

  const ids = tests.filter(isRed).map(({ id }) => id);
  for (const hashSeed of againWith) {
    const again = await ground.again(`hash seed ${hashSeed}`, { select: ids, hashSeed });
    const green = greenIds(again, { command, ids });
    if (green.length > 0) return refuse(`red, then green without a change: ${listed(green)}; make it reliable`, again);
  }
  return { kind: "accepted", reproduction: { test, ids, frozen, run: only(run, ids) } };
}

const unfinished =
  "the tests did not run to their end with it; give a test that may hang a time limit of its own, which fails in its body";

/** What the runner found in the new file, tests and the file itself. */
function newTests(path: string, before: TestRun, run: TestRun): TestCase[] {
  const known = new Set(before.report?.collected ?? []);
  return (run.report?.tests ?? []).filter(({ id, file }) => file === path && !known.has(id));
}

/** What is wrong with the new tests themselves. */
function objectionTo(tests: readonly TestCase[], test: NewFile, { shell }: TestCommand): string | null {
  const { path, bytes } = test;
  if (tests.length === 0) {
    return `no test of ${path} was collected by \`${shell}\`; put it where the project has its tests, under a name like theirs`;
  }
  if (tests.some(({ id }) => id === path))
    return `${path} could not be collected: it must fail in a test's body, not on import`;
  const red = tests.filter(isRed);
  if (red.length === 0) return `no test of ${path} fails, so it does not show what was reported`;
  const file = { path, text: Buffer.from(bytes).toString("utf8") };
  for (const each of red) {
    const why = whyItShowsNothing(each, file);
    if (why !== null) return `${each.id} does not show what was reported: ${why}`;
  }
  return null;
}

function isRed({ status }: TestCase): boolean {
  return status === "failed" || status === "error";
}

/** The run as far as it is about certain tests: what is red besides was red before. */
function only(run: TestRun, ids: readonly string[]): TestRun {
  if (run.report === null) return run;
  const tests = run.report.tests.filter((each) => !isRed(each) || ids.includes(each.id));
  return { ...run, report: { ...run.report, tests } };
}

function refuse(reason: string, run: TestRun, ids: readonly string[] | null = null): ReproductionVerdict {
  return { kind: "refused", reasons: [`${reason}\n${describeRun(run, { ids })}`] };
}

function listed(ids: readonly string[]): string {
  const shown = ids.slice(0, 5).join(", ");
  return ids.length > 5 ? `${shown} and ${ids.length - 5} more` : shown;
}
