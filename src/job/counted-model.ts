import type { Logger } from "pino";
import { messageOf } from "../errors.ts";
import type { Budget } from "../model/budget.ts";
import type { Model } from "../model/model.ts";
import { type ActiveJob, JobAborted } from "./active-job.ts";

/**
 * The model, asked only when what was spent before is written down: a crash makes a run forget one answer at most, and an attempt
 * that lost its claim spends nothing more. A database that is away for a moment does not end a run that has cost money.
 */
export function countedModel(
  model: Model,
  active: Pick<ActiveJob, "id" | "record">,
  budget: Budget,
  log: Logger,
): Model {
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
