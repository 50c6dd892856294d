import { judgeReproduction } from "../checkout/reproduction-policy.ts";
import type { Conversation } from "../loop/conversation.ts";
import { type Claims, type LoopEnd, runLoop } from "../loop/loop.ts";
import { settleReproduction } from "../loop/settle-reproduction.ts";
import type { Workspace } from "../loop/tool/tool.ts";
import { openWorkspace } from "../loop/workspace.ts";
import type { SandboxSession } from "../sandbox/sandbox.ts";
import { type NewFile, type Reproduction, verifyReproduction } from "../verify/verify-reproduction.ts";
import type { FixOptions } from "./fix.ts";

export interface ReproductionStart {
  readonly session: SandboxSession;
  readonly conversation: Conversation;
  /** Limit of one test run, in milliseconds. */
  readonly timeoutMs: number;
}

/** Has the model write a test that shows what was reported, until one holds in a container of its own. */
export async function reproduceLoop(
  options: FixOptions,
  { session, conversation, timeoutMs }: ReproductionStart,
  signal: AbortSignal,
): Promise<LoopEnd<Reproduction>> {
  const { checkout, command, model, budget, trace, startSandbox, executionMs } = options;
  await session.put(checkout.files(), { reset: true }, signal);
  const judge: Workspace["judge"] = async (patch) => judgeReproduction(checkout, patch);
  const created = new Set<string>();
  const workspace: Workspace = {
    ...openWorkspace({ session, checkout, target: { command, ids: null }, executionMs, testRunMs: timeoutMs, judge }),
    created,
    // Without ids the new file is run; before there is one, everything.
    get target() {
      return { command, ids: created.size === 0 ? null : [...created] };
    },
    // Nothing is expected to be red yet, so green tests mean nothing.
    touched: true,
  };
  const verify = (test: NewFile, verifySignal: AbortSignal) =>
    verifyReproduction({ startSandbox, checkout, test, command, timeoutMs, trace }, verifySignal);
  const settle = settleReproduction({ workspace, verify, trace });
  // Claims of a repair are counted by themselves.
  const claims: Claims = { proof: null, refusals: 0 };
  return runLoop({ model, workspace, budget, trace, claims, conversation, settle }, signal);
}
