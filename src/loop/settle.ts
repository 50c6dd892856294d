/** What became of a claim. */
export type Settled<Held> =
  /** `told` is what the model hears. */
  | { readonly kind: "held"; readonly held: Held; readonly told: string }
  /** The reasons are written for the model and for people. */
  | { readonly kind: "refused"; readonly reasons: readonly string[] }
  /** What the claim is about is red and green without a change. */
  | { readonly kind: "flaky"; readonly detail: string };

/** Holds what the workspace has now against the facts, in a container that the model never saw. */
export type Settle<Held> = (signal: AbortSignal) => Promise<Settled<Held>>;
