import type { z } from "zod";
import type { Change } from "../job/change.ts";

/** What an event leads to. */
export type Decision = Change | { readonly kind: "ignore"; readonly reason: string };

export interface DecisionContext {
  /** Our App's numeric id: its slug can be renamed, and other Apps can be called alike. */
  readonly ownAppId: number;
  readonly now: Date;
}

/** Decides about the payload of one kind of event. Pure; never throws. */
export type Decide = (payload: unknown, context: DecisionContext) => Decision;

export function ignore(reason: string): Decision {
  return { kind: "ignore", reason };
}

/** A decision about payloads of a schema; others are ignored, with what was wrong first. */
export function deciding<Schema extends z.ZodType>(
  schema: Schema,
  decide: (payload: z.output<Schema>, context: DecisionContext) => Decision,
): Decide {
  return (payload, context) => {
    const parsed = schema.safeParse(payload);
    if (parsed.success) return decide(parsed.data, context);
    const issue = parsed.error.issues[0];
    if (issue?.path[0] === "installation") return ignore("it comes from no installation of the App");
    return ignore(`the payload is not understood: ${issue?.path.join(".")}: ${issue?.message}`);
  };
}
