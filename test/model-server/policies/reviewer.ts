import { type Answer, calls } from "../answer.ts";
import type { Policy } from "../policy.ts";

/** A finding as the model submits it. */
export interface ScriptedFinding {
  readonly file: string;
  readonly line: number;
  readonly message: string;
  readonly evidence: { readonly run: number; readonly shows: string };
}

/** Does the given calls one after another, then submits its findings, again and again if need be. */
export function reviewer(findings: readonly ScriptedFinding[], steps: readonly Answer[] = []): Policy {
  return ({ calls: made }) => steps[made.length] ?? calls("submit_review", { findings });
}
