import type { Patch } from "../checkout/patch.ts";
import { judgePatch } from "../checkout/patch-policy.ts";
import type { Checkout } from "../checkout/snapshot.ts";
import type { Conversation } from "../loop/conversation.ts";
import { type ProvenPatch, settleRepair } from "../loop/finish.ts";
import { type LoopEnd, runLoop } from "../loop/loop.ts";
import { crashText } from "../loop/prompt.ts";
import { openWorkspace } from "../loop/workspace.ts";
import { commandFiles } from "../runner/command-files.ts";
import type { SandboxSession } from "../sandbox/sandbox.ts";
import { prove } from "../verify/prove.ts";
import type { FixOptions, Red } from "./fix.ts";
import { testFilesOf } from "./test-files.ts";

/** What a repair starts from. */
export interface RepairStart {
  readonly session: SandboxSession;
  /** The tree that is red. */
  readonly checkout: Checkout;
  readonly seen: Red;
  readonly conversation: Conversation;
}

/** Has the model repair a failure that is reproduced, until a patch is proven in a container of its own. */
export async function repairLoop(
  options: FixOptions,
  { session, checkout, seen, conversation }: RepairStart,
  signal: AbortSignal,
): Promise<LoopEnd<ProvenPatch>> {
  const { command, model, budget, trace, claims, startSandbox, executionMs } = options;
  const { target, run, timeoutMs } = seen;
  await session.put(checkout.files(), { reset: true }, signal);
  trace.record({ type: "crash", text: crashText({ target, run }) });
  const isCheck = target.ids === null || (command.parts ?? []).some(({ runner }) => runner === "command");
  const policy = { ...testFilesOf(run, target), commandFiles: commandFiles(command, checkout.paths), isCheck };
  const judge = async (patch: Patch) => judgePatch(checkout, patch, policy);
  const workspace = openWorkspace({ session, checkout, target, executionMs, testRunMs: timeoutMs, judge });
  const provePatch = (patch: Patch, proofSignal: AbortSignal) =>
    trace.stage("proof", () => prove({ startSandbox, checkout, patch, target, timeoutMs, trace }, proofSignal));
  const settle = settleRepair({ workspace, provePatch, claims, trace });
  return runLoop({ model, workspace, budget, trace, claims, conversation, settle }, signal);
}
