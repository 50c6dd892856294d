import { issueOpening, type Report } from "../loop/issue-prompt.ts";
import { recordReproduction } from "../loop/record-reproduction.ts";
import { ShownObservations } from "../loop/shown-observations.ts";
import type { SandboxSession } from "../sandbox/sandbox.ts";
import { seeStartState } from "../verify/start-state.ts";
import type { Reproduction } from "../verify/verify-reproduction.ts";
import type { FixOptions, Red } from "./fix.ts";
import { type KnownReproduction, seeAgain } from "./known-reproduction.ts";
import type { Outcome } from "./outcome.ts";
import { outcomeOfIssue, outcomeOfReproduction } from "./outcome-of-issue.ts";
import { repairLoop } from "./repair-loop.ts";
import { reproduceLoop } from "./reproduce-loop.ts";

export interface FixIssueOptions extends FixOptions {
  readonly report: Report;
  /** What an earlier attempt has found; null when it found nothing. */
  readonly known: KnownReproduction | null;
  /** Keeps a test that was found for a later attempt. */
  readonly keep: (reproduction: Reproduction) => Promise<void>;
}

/**
 * Repairs what a report says: looks whether tests run here, has a test written that shows it, freezes that test, then repairs and proves
 * as always. One budget holds for both. Rejects for broken infrastructure, and with the signal's reason.
 */
export async function fixIssue(options: FixIssueOptions, signal: AbortSignal): Promise<Outcome> {
  const { checkout, command, trace, startSandbox, installed, testRunMs, report, hint } = options;
  trace.record({ type: "report", ...report, comments: [...report.comments] });
  await using session = await trace.stage("sandbox", () => startSandbox(signal));
  const state = await trace.stage("triage", () =>
    seeStartState({ session, checkout, command, installed, timeoutMs: testRunMs, trace }, signal),
  );
  if (state.kind === "environment")
    return { kind: "environment", reason: `it cannot be worked on here: ${state.detail}` };
  const { timeoutMs } = state;
  const known = await seenAgain(options, session, timeoutMs, signal);
  const messages = issueOpening({ report, command, paths: checkout.paths, hint, known });
  const conversation = { messages, shown: new ShownObservations(null) };

  let reproduction = known;
  if (reproduction === null) {
    const found = await trace.stage("reproduction", () =>
      reproduceLoop(options, { session, conversation, timeoutMs }, signal),
    );
    if (found.kind !== "held") return outcomeOfReproduction(found);
    reproduction = found.held;
    await options.keep(reproduction);
  }
  const { ids, run, frozen } = reproduction;
  const seen: Red = { kind: "red", target: { command, ids }, run, timeoutMs };
  const end = await trace.stage("loop", () =>
    repairLoop(options, { session, checkout: frozen, seen, conversation }, signal),
  );
  return outcomeOfIssue(end, checkout, reproduction, signal);
}

/** What an earlier attempt has found, when it is still red. */
async function seenAgain(
  { known, checkout, command, trace }: FixIssueOptions,
  session: SandboxSession,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Reproduction | null> {
  if (known === null) return null;
  const start = performance.now();
  const reproduction = await seeAgain({ known, session, checkout, command, timeoutMs, trace }, signal);
  if (reproduction !== null) recordReproduction(trace, reproduction, performance.now() - start);
  return reproduction;
}
