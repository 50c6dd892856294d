import { z } from "zod";
import { applyPatch } from "../checkout/apply-patch.ts";
import { type Checkout, checkoutOfTree } from "../checkout/snapshot.ts";
import { runTests } from "../runner/run-tests.ts";
import type { TestCommand } from "../runner/test-command.ts";
import type { SandboxSession } from "../sandbox/sandbox.ts";
import type { Trace } from "../trace/recorder.ts";
import { recordTestRun } from "../verify/record-test-run.ts";
import { greenIds } from "../verify/target.ts";
import type { Reproduction } from "../verify/verify-reproduction.ts";

const schema = z.object({
  /** Tree of the start commit that it was found at. */
  startTree: z.string(),
  path: z.string(),
  text: z.base64(),
  ids: z.array(z.string()).min(1),
});

/** A test that shows a report, as a job's record keeps it for the next attempt. */
export type KnownReproduction = z.infer<typeof schema>;

export function asKnown({ test, ids }: Reproduction, start: Pick<Checkout, "tree">): KnownReproduction {
  return { startTree: start.tree, path: test.path, text: Buffer.from(test.bytes).toString("base64"), ids: [...ids] };
}

/** What an earlier attempt has found; null when it found nothing, or when another version of Autolith wrote it. */
export function knownFrom(resume: unknown): KnownReproduction | null {
  const parsed = schema.safeParse(resume);
  return parsed.success ? parsed.data : null;
}

export interface SeeAgainOptions {
  readonly known: KnownReproduction;
  readonly session: SandboxSession;
  readonly checkout: Checkout;
  readonly command: TestCommand;
  readonly timeoutMs: number;
  readonly trace: Trace;
}

/** Runs a test that was accepted before; null when it is not of this tree, or not red any more. */
export async function seeAgain(options: SeeAgainOptions, signal: AbortSignal): Promise<Reproduction | null> {
  const { known, session, checkout, command, timeoutMs, trace } = options;
  if (known.startTree !== checkout.tree) return null;
  const { path, ids } = known;
  const test = { kind: "write" as const, path, executable: false, bytes: Buffer.from(known.text, "base64") };
  const { store, tree } = checkout;
  const frozen = await checkoutOfTree(store, await applyPatch(store, tree, [test], signal), signal);
  await session.put(frozen.files(), { reset: true }, signal);
  const run = await runTests(session, command, { timeoutMs, select: ids }, signal);
  recordTestRun(trace, "reproduction: known test", run);
  return greenIds(run, { command, ids }).length === 0 ? { test, ids, frozen, run } : null;
}
