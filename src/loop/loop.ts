import { workspaceTreeHash } from "../checkout/patch-from-workspace.ts";
import { ModelError } from "../errors.ts";
import type { Budget, Limit, Spend } from "../model/budget.ts";
import type { Message, Model, ModelRequest, ModelTurn, ToolCall } from "../model/model.ts";
import { failureSignature } from "../runner/failure-signature.ts";
import type { TestRun } from "../runner/report.ts";
import type { Trace } from "../trace/recorder.ts";
import type { Proof } from "../verify/proof.ts";
import { isRed } from "../verify/target.ts";
import { carryOut } from "./carry-out.ts";
import type { Conversation } from "./conversation.ts";
import { Governor } from "./governor.ts";
import type { Settle } from "./settle.ts";
import type { Workspace } from "./tool/tool.ts";
import { toolDefinitions } from "./tool/tools.ts";

/** How the loop ended; `held` is what a claim that held gives. */
export type LoopEnd<Held> =
  | { readonly kind: "held"; readonly held: Held; readonly rootCause: string; readonly summary: string }
  | { readonly kind: "exhausted"; readonly limit: Limit; readonly detail: string }
  | { readonly kind: "stuck"; readonly reason: string }
  | { readonly kind: "gave-up"; readonly reason: string }
  | { readonly kind: "rejected"; readonly reasons: readonly string[] }
  | { readonly kind: "flaky"; readonly detail: string };

/** What was said of the model's claims so far; held by the caller, so that it outlives an aborted loop. */
export interface Claims {
  /** Proof of the last claim that was settled. */
  proof: Proof | null;
  refusals: number;
}

export interface LoopOptions<Held> {
  readonly model: Model;
  readonly workspace: Workspace;
  readonly budget: Budget;
  readonly trace: Trace;
  readonly conversation: Conversation;
  readonly settle: Settle<Held>;
  readonly claims: Claims;
}

/** Longest answer asked for, in tokens. */
const answerTokens = 8_192;
/** The refusal that ends the loop. */
const lastRefusal = 3;

/**
 * Asks, acts, observes, and asks again, until a claim holds or a limit is hit. Rejects only for a broken endpoint or sandbox,
 * or with the signal's reason.
 */
export async function runLoop<Held>(options: LoopOptions<Held>, signal: AbortSignal): Promise<LoopEnd<Held>> {
  const { workspace, budget, trace, claims } = options;
  const { messages } = options.conversation;
  const governor = new Governor();

  for (;;) {
    signal.throwIfAborted();
    const reserved = await budget.reserve({ messages, tools: toolDefinitions }, answerTokens, signal);
    if ("limit" in reserved) return { kind: "exhausted", ...reserved };
    const turn = await ask(options, { messages, tools: toolDefinitions, ...reserved }, signal);
    const iteration = budget.spend.iterations;
    recordTurn(trace, budget.spend, turn);
    messages.push({ role: "assistant", content: turn.text, toolCalls: turn.toolCalls });
    workspace.lastTestRun = null;

    const results: string[] = [];
    for (const [index, call] of turn.toolCalls.entries()) {
      const act = await carryOut(call, options, iteration, signal);
      if (act.kind === "gave-up" || act.kind === "flaky") return act;
      results.push(act.shown);
      messages.push({ role: "tool", toolCallId: call.id, content: act.shown });
      if (act.kind === "observed") continue;
      const { settled, rootCause, summary } = act;
      if (settled.kind === "flaky") return { kind: "flaky", detail: settled.detail };
      if (settled.kind === "held") {
        messages.push(...leftUndone(turn.toolCalls.slice(index + 1)));
        return { kind: "held", held: settled.held, rootCause, summary };
      }
      if (claims.refusals === lastRefusal) return { kind: "rejected", reasons: settled.reasons };
    }
    if (turn.toolCalls.length === 0) messages.push({ role: "user", content: monologueReply(turn) });

    const guidance = governor.observe({
      tree: await workspaceTreeHash(workspace.session, workspace.checkout, [...workspace.created], signal),
      action: actionKey(turn.toolCalls),
      ...stepResult(workspace.lastTestRun, results),
    });
    if (guidance.kind === "stop") return { kind: "stuck", reason: guidance.reason };
    if (guidance.kind === "nudge") {
      trace.record({ type: "nudge", iteration, text: guidance.text });
      messages.push({ role: "user", content: guidance.text });
    }
  }
}

/** One answer, counted. A call that was given up half-way stays reserved: it may have to be paid. */
async function ask(
  { model, budget }: Pick<LoopOptions<unknown>, "model" | "budget">,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<ModelTurn> {
  try {
    const turn = await model.respond(request, signal);
    budget.charge(turn.usage);
    return turn;
  } catch (error) {
    if (error instanceof ModelError) budget.release();
    throw error;
  }
}

function recordTurn(trace: Trace, spend: Spend, turn: ModelTurn): void {
  const { iterations: iteration, ...total } = spend;
  trace.record({
    type: "turn",
    iteration,
    text: turn.text,
    toolCalls: turn.toolCalls.map((call) => ({ ...call })),
    usage: turn.usage,
    usageEstimated: turn.usageEstimated,
    total,
    durationMs: turn.durationMs,
  });
}

/** Endpoints refuse a conversation in which a call has no answer. */
function leftUndone(calls: readonly ToolCall[]): Message[] {
  const content = "Not carried out: the claim before it was accepted.";
  return calls.map(({ id: toolCallId }) => ({ role: "tool", toolCallId, content }));
}

function monologueReply(turn: ModelTurn): string {
  const cut = turn.finish === "length" ? "Your answer was cut at the output limit. " : "";
  return `${cut}No tool was called, so nothing happened. Answer with a tool call.`;
}

function actionKey(calls: readonly ToolCall[]): string {
  return calls.length === 0 ? "monologue" : calls.map((call) => `${call.name} ${call.arguments}`).join("\n");
}

/** Times and addresses differ from run to run, so a red test run counts by its signature. */
function stepResult(run: TestRun | null, results: readonly string[]): { result: string; redTests: boolean } {
  if (run !== null && isRed(run)) return { result: failureSignature(run), redTests: true };
  return { result: results.join("\n").replace(/\d+(\.\d+)?/g, "#"), redTests: false };
}
