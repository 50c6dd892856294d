import { workspaceTreeHash } from "../checkout/patch-from-workspace.ts";
import { ModelError } from "../errors.ts";
import { observationChars } from "../loop/observation.ts";
import type { Workspace } from "../loop/tool/tool.ts";
import type { Budget, Spend } from "../model/budget.ts";
import type { Message, Model, ModelRequest, ModelTurn, ToolCall } from "../model/model.ts";
import { excerpt } from "../runner/excerpt.ts";
import type { Trace } from "../trace/recorder.ts";
import { type DiffLines, type HeldFinding, judgeFindings } from "./findings.ts";
import { numbered, reviewActionOf, reviewToolDefinitions } from "./review-tools.ts";
import type { RunLog } from "./run-log.ts";

export interface LookOptions {
  readonly model: Model;
  readonly budget: Budget;
  readonly trace: Trace;
  /** A sandbox whose workspace holds the head. */
  readonly workspace: Workspace;
  readonly opening: readonly Message[];
  readonly lines: DiffLines;
  readonly runs: RunLog;
}

/** What a model's look at a change gave. */
export interface Look {
  readonly findings: readonly HeldFinding[];
  /** How many of its findings had no place or no fact. */
  readonly dropped: number;
  /** Why it ended before the model was done; null when it was. */
  readonly stopped: string | null;
}

const answerTokens = 4_096;
/** Answers without a tool call, one after another. */
const mostMonologues = 2;

/**
 * Lets a model look at a change with the live runtime at hand, until it submits its findings or a limit is hit. Findings are held
 * against the diff and the runs; the model may mend those that do not hold once. Rejects for a broken endpoint or sandbox only.
 */
export async function lookAtChange(options: LookOptions, signal: AbortSignal): Promise<Look> {
  const { budget, trace, workspace } = options;
  const messages: Message[] = [...options.opening];
  const clean = await treeOf(workspace, signal);
  let refusals = 0;
  let monologues = 0;
  for (;;) {
    signal.throwIfAborted();
    const reserved = await budget.reserve({ messages, tools: reviewToolDefinitions }, answerTokens, signal);
    if ("limit" in reserved) return { findings: [], dropped: 0, stopped: `${reserved.limit}: ${reserved.detail}` };
    const turn = await ask(options, { messages, tools: reviewToolDefinitions, ...reserved }, signal);
    record(trace, budget.spend, turn);
    messages.push({ role: "assistant", content: turn.text, toolCalls: turn.toolCalls });
    for (const call of turn.toolCalls) {
      const act = await carryOut(call, { ...options, clean, isLast: refusals > 0 }, signal);
      if (act.kind === "done") return act.look;
      if (act.kind === "refused") refusals += 1;
      messages.push({ role: "tool", toolCallId: call.id, content: act.shown });
    }
    monologues = turn.toolCalls.length === 0 ? monologues + 1 : 0;
    if (monologues > mostMonologues) return { findings: [], dropped: 0, stopped: "the model called no tool" };
    if (monologues > 0)
      messages.push({ role: "user", content: "Answer with a tool call; submit_review ends the review." });
  }
}

async function ask({ model, budget }: LookOptions, request: ModelRequest, signal: AbortSignal): Promise<ModelTurn> {
  try {
    const turn = await model.respond(request, signal);
    budget.charge(turn.usage);
    return turn;
  } catch (error) {
    if (error instanceof ModelError) budget.release();
    throw error;
  }
}

type Act =
  | { readonly kind: "observed" | "refused"; readonly shown: string }
  | { readonly kind: "done"; readonly look: Look };

interface Carrying extends LookOptions {
  /** Hash of the untouched head. */
  readonly clean: string;
  readonly isLast: boolean;
}

async function carryOut(call: ToolCall, options: Carrying, signal: AbortSignal): Promise<Act> {
  const { trace, budget, workspace, runs } = options;
  const start = performance.now();
  const note = (text: string): string => {
    const shown = excerpt(text, observationChars);
    const full = shown === text ? null : text;
    const iteration = budget.spend.iterations;
    const durationMs = performance.now() - start;
    trace.record({ type: "observation", iteration, toolCallId: call.id, tool: call.name, shown, full, durationMs });
    return shown;
  };
  const action = reviewActionOf(call);
  if (action.kind === "submit") return submit(action.findings, options, note);
  const observation = await action.run(workspace, signal);
  if (action.input === null || observation.failed) return { kind: "observed", shown: note(observation.text) };
  if ((await treeOf(workspace, signal)) !== options.clean) {
    const warning = "The files are not those of the head any more, so this run is no fact and has no number.";
    return { kind: "observed", shown: note(`${warning}\n${observation.text}`) };
  }
  const what = `\`${call.name}\``;
  const { number } = runs.add({ what, input: action.input, output: observation.text });
  return { kind: "observed", shown: note(numbered(number, observation).text) };
}

function submit(
  claimed: Parameters<typeof judgeFindings>[0],
  { lines, runs, isLast }: Carrying,
  note: (text: string) => string,
): Act {
  const judged = judgeFindings(claimed, lines, runs);
  const reasons = judged.flatMap((each) => (each.kind === "dropped" ? [`- ${each.reason}`] : []));
  if (reasons.length > 0 && !isLast) {
    const told = `These findings do not hold:\n${reasons.join("\n")}\nSubmit again: all findings that you stand by, mended, or an empty list.`;
    return { kind: "refused", shown: note(told) };
  }
  const findings = judged.flatMap((each) => (each.kind === "held" ? [each.finding] : []));
  note(`${findings.length} of ${judged.length} findings hold\n${reasons.join("\n")}`);
  return { kind: "done", look: { findings, dropped: reasons.length, stopped: null } };
}

function treeOf({ session, checkout, created }: Workspace, signal: AbortSignal): Promise<string> {
  return workspaceTreeHash(session, checkout, [...created], signal);
}

function record(trace: Trace, { iterations: iteration, ...total }: Spend, turn: ModelTurn): void {
  const { text, usage, usageEstimated, durationMs } = turn;
  const toolCalls = turn.toolCalls.map((call) => ({ ...call }));
  trace.record({ type: "turn", iteration, text, toolCalls, usage, usageEstimated, total, durationMs });
}
