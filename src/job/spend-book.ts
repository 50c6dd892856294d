import type { Logger } from "pino";
import { messageOf } from "../errors.ts";
import type { Budget } from "../model/budget.ts";
import type { Model } from "../model/model.ts";
import type { Trace } from "../trace/recorder.ts";
import { type ActiveJob, JobAborted } from "./active-job.ts";

export interface SpendBookOptions {
  readonly active: Pick<ActiveJob, "id" | "record">;
  readonly budget: Budget;
  readonly model: Model;
  readonly trace: Trace;
  readonly log: Logger;
}

/** What a loop has to use so that its spend survives a crash. */
export interface SpendBook {
  readonly model: Model;
  readonly trace: Trace;
}

/**
 * Writes down what a run has spent as soon as an answer was counted, and lets the model be asked again only after that: a crash makes
 * a run forget one answer at most, and an attempt that lost its claim spends nothing more. A database that is away for a moment
 * does not end a run that has cost money.
 */
export function openSpendBook({ active, budget, model, trace, log }: SpendBookOptions): SpendBook {
  const write = () =>
    active.record({ spend: budget.spend }).then(
      () => null,
      (error: unknown) => error,
    );
  let written = write();
  return {
    trace: {
      ...trace,
      record: (record) => {
        trace.record(record);
        if (record.type === "turn") written = write();
      },
    },
    model: {
      name: model.name,
      endpoint: model.endpoint,
      estimateInputTokens: (request) => model.estimateInputTokens(request),
      cost: (usage) => model.cost(usage),
      respond: async (request, signal) => {
        const error = await written;
        if (error instanceof JobAborted) throw error;
        if (error !== null) log.warn({ jobId: active.id, reason: messageOf(error) }, "the spend was not written down");
        return model.respond(request, signal);
      },
    },
  };
}
