import { z } from "zod";
import type { Checkout } from "../checkout/snapshot.ts";
import { messageOf } from "../errors.ts";
import { Budget, type Spend } from "../model/budget.ts";
import type { Model } from "../model/model.ts";
import type { TestCommand } from "../runner/test-command.ts";
import type { SandboxSession } from "../sandbox/sandbox.ts";
import { isRefused } from "../store/refusals.ts";
import type { Trace } from "../trace/recorder.ts";
import { version } from "../version.ts";
import { type ActiveJob, JobAborted } from "./active-job.ts";
import { failureKey } from "./failure-key.ts";
import { fix, type Red } from "./fix.ts";
import type { FixServices } from "./fix-services.ts";
import { type FixJob, isAsked, keyOf } from "./job.ts";
import type { FixResult, Outcome } from "./outcome.ts";
import { redOnBase } from "./red-on-base.ts";
import { settled } from "./settled.ts";
import { refusedBefore } from "./words.ts";

/** A commit that is to be repaired, with what is needed for it. */
export interface CommitRepair {
  readonly active: ActiveJob;
  readonly services: FixServices;
  readonly job: FixJob;
  readonly run: string;
  readonly trace: Trace;
  readonly checkout: Checkout;
  readonly command: TestCommand;
  /** The head of the branch that a pull request would merge into; null where there is none. */
  readonly base: { readonly branch: string; readonly load: (signal: AbortSignal) => Promise<Checkout> } | null;
}

/** Reproduces, repairs and proves, within what earlier attempts left of the budget. Rejects for bugs only, and when the claim is lost. */
export async function repairCommit(repair: CommitRepair, signal: AbortSignal): Promise<FixResult> {
  const { active, services, job, run, trace, checkout, command } = repair;
  const { model, limits, sandboxes } = services;
  const budget = new Budget(limits.budget, model, () => performance.now(), spentBefore(active));
  const { name, endpoint } = model;
  trace.record({ type: "run-started", version: version(), model: name, endpoint, limits: { ...limits.budget } });
  const { shell, runner } = command;
  const notes = [...checkout.notes];
  trace.record({
    type: "checked-out",
    tree: checkout.tree,
    files: checkout.paths.length,
    command: shell,
    runner,
    notes,
  });
  const result = await settled({ budget, trace, signal }, async (claims, runSignal) => {
    const startSandbox = await sandboxes(run, runSignal);
    const { testRunMs, executionMs } = limits;
    const beforeLoop = (red: Red, session: SandboxSession, loopSignal: AbortSignal) =>
      reasonToStop(repair, red, session, loopSignal);
    const counted = countedModel(repair, budget);
    const work = { checkout, command, startSandbox, model: counted, budget, trace, claims, testRunMs, executionMs };
    return fix({ ...work, hint: hintOf(job), beforeLoop }, runSignal);
  });
  await active.record({ spend: budget.spend });
  return result;
}

/**
 * The model, asked only when what was spent before is written down: a crash makes a run forget one answer at most, and an attempt
 * that lost its claim spends nothing more. A database that is away for a moment does not end a run that has cost money.
 */
function countedModel({ active, services: { model, log } }: CommitRepair, budget: Budget): Model {
  return {
    name: model.name,
    endpoint: model.endpoint,
    estimateInputTokens: (request) => model.estimateInputTokens(request),
    cost: (usage) => model.cost(usage),
    respond: async (request, signal) => {
      try {
        await active.record({ spend: budget.spend });
      } catch (error) {
        if (error instanceof JobAborted) throw error;
        log.warn({ jobId: active.id, reason: messageOf(error) }, "the spend could not be written down");
      }
      return model.respond(request, signal);
    },
  };
}

/** Whether the failure is one that Autolith should leave alone. */
async function reasonToStop(
  repair: CommitRepair,
  red: Red,
  session: SandboxSession,
  signal: AbortSignal,
): Promise<Outcome | null> {
  const { active, services, job, base, trace } = repair;
  const failure = failureKey(keyOf(job.repository.id, job.subject), red.target);
  await active.record({ failure });
  if (!isAsked(job) && (await isRefused(services.database, job.repository.id, failure))) {
    return { kind: "gave-up", reason: refusedBefore };
  }
  if (base === null) return null;
  const checkout = await base.load(signal);
  return redOnBase({ base: checkout, branch: base.branch, session, red, trace }, signal);
}

/** What the last person who gave one wrote beside the command. */
function hintOf({ causes }: FixJob): string | null {
  const hints = causes.flatMap((cause) => (cause.kind === "command" && cause.hint !== null ? [cause.hint] : []));
  return hints.at(-1) ?? null;
}

const count = z.number().int().nonnegative();
const spendSchema = z.object({
  inputTokens: count,
  cachedTokens: count,
  outputTokens: count,
  iterations: count,
  costUsd: z.number().nullable(),
});

function spentBefore({ progress }: ActiveJob): Spend | undefined {
  const parsed = spendSchema.safeParse(progress.spend);
  return parsed.success ? parsed.data : undefined;
}
