/** What one iteration came to, for recognising that nothing moves. */
export interface Step {
  /** Hash of the workspace's files after the iteration. */
  readonly tree: string;
  /** Tool calls with their arguments, or `monologue` when the model called none. */
  readonly action: string;
  /** Normalised result: the failure signature of a red test run, else the observation's text. */
  readonly result: string;
  /** True when the iteration ran tests that were red. */
  readonly redTests: boolean;
}

export type Guidance =
  | { readonly kind: "go-on" }
  | { readonly kind: "nudge"; readonly text: string }
  | { readonly kind: "stop"; readonly reason: string };

/** Equal steps after which the model is nudged, and after which the loop stops. */
const nudgeAt = 3;
const stopAt = 6;

/**
 * Recognises a loop that does not move: the same action with the same result on the same files, the same failure after
 * different edits, turns without any tool call. Nudges once at the third, stops at the sixth.
 */
export class Governor {
  readonly #repeats = new Map<string, number>();
  readonly #failures = new Map<string, Set<string>>();
  #monologues = 0;

  /** Takes one iteration into account. */
  observe(step: Step): Guidance {
    if (step.action === "monologue") {
      this.#monologues += 1;
      return guidance(this.#monologues, "no tool was called", "Answer with a tool call; text alone changes nothing.");
    }
    this.#monologues = 0;

    const key = JSON.stringify([step.tree, step.action, step.result]);
    const repeats = (this.#repeats.get(key) ?? 0) + 1;
    this.#repeats.set(key, repeats);

    const trees = this.#failures.get(step.result) ?? new Set();
    const sameTree = trees.has(step.tree);
    if (step.redTests) this.#failures.set(step.result, trees.add(step.tree));

    const byRepeat = guidance(
      repeats,
      "the same action gave the same result on the same files",
      "Do something else: look at a value with execute, or read the code that produces it.",
    );
    if (byRepeat.kind !== "go-on" || !step.redTests || sameTree) return byRepeat;
    return guidance(
      trees.size,
      "different edits left the same failure",
      "Re-examine your assumption about the root cause before the next edit.",
    );
  }
}

function guidance(times: number, what: string, advice: string): Guidance {
  if (times >= stopAt) return { kind: "stop", reason: `${what} ${times} times` };
  if (times === nudgeAt) return { kind: "nudge", text: `Autolith: ${what} ${times} times. ${advice}` };
  return { kind: "go-on" };
}
