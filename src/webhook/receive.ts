import type { Logger } from "pino";
import { AutolithError } from "../errors.ts";
import type { Change, Effect } from "../job/change.ts";
import type { Decide } from "./decision.ts";

export interface ReceiveOptions {
  readonly ownAppId: number;
  /** Stores what a delivery leads to; rejects when that fails. */
  readonly accept: (delivery: { guid: string; event: string }, change: Change) => Promise<Effect>;
  readonly log: Logger;
}

/** A verified delivery. */
export interface Delivery {
  readonly id: string;
  readonly name: string;
  readonly payload: unknown;
}

/**
 * Decides about a delivery and stores what follows, which is all that happens before it is acknowledged.
 * Throws `AutolithError("infrastructure")` when it could not be stored, so that GitHub notes a failure and can deliver it again.
 */
export function receiving({ ownAppId, accept, log }: ReceiveOptions, decide: Decide) {
  return async ({ id: guid, name: event, payload }: Delivery): Promise<void> => {
    const decision = decide(payload, { ownAppId, now: new Date() });
    const delivery = log.child({ delivery: guid, event });
    if (decision.kind === "ignore") {
      delivery.debug({ reason: decision.reason }, "delivery ignored");
      return;
    }
    try {
      const effect = await accept({ guid, event }, decision);
      delivery.info({ change: decision.kind, effect }, "delivery accepted");
    } catch (error) {
      delivery.error({ err: error, change: decision.kind }, "delivery could not be stored");
      // The message is shown at GitHub.
      throw new AutolithError("infrastructure", "the delivery could not be stored");
    }
  };
}
