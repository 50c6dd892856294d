import type { Model, ModelRequest, Usage } from "./model.ts";

export type Limit = "iterations" | "tokens" | "cost" | "time";

export interface BudgetLimits {
  readonly iterations: number;
  /** Input plus output tokens of one run. */
  readonly tokens: number;
  /** USD of one run; has no effect when the model's price is unknown, then the token limit holds alone. */
  readonly costUsd: number;
  readonly wallTimeMs: number;
}

/** Defaults for one run. */
export const defaultBudgetLimits: BudgetLimits = {
  iterations: 15,
  tokens: 400_000,
  costUsd: 3,
  wallTimeMs: 30 * 60_000,
};

export interface Spend extends Usage {
  readonly iterations: number;
  /** Null when the model's price is unknown. */
  readonly costUsd: number | null;
}

export interface Exhaustion {
  readonly limit: Limit;
  /** In words, with the figures. */
  readonly detail: string;
}

/** The smallest answer worth asking for, in tokens; below it a call is not made. */
const smallestAnswer = 256;

/**
 * Counts what a run spends and says before each model call whether it still fits. A call is reserved with its estimated input, so
 * that a limit is overshot by the error of one estimate and one answer at most.
 */
export class Budget {
  readonly limits: BudgetLimits;
  readonly #model: Model;
  readonly #now: () => number;
  readonly #startedAt: number;
  #iterations = 0;
  #usage: Usage = { inputTokens: 0, cachedTokens: 0, outputTokens: 0 };

  /** `spent` is what earlier attempts at the same run took. */
  constructor(limits: BudgetLimits, model: Model, now: () => number, spent?: Spend) {
    this.limits = limits;
    this.#model = model;
    this.#now = now;
    this.#startedAt = now();
    if (spent === undefined) return;
    const { inputTokens, cachedTokens, outputTokens } = spent;
    this.#iterations = spent.iterations;
    this.#usage = { inputTokens, cachedTokens, outputTokens };
  }

  get spend(): Spend {
    return { ...this.#usage, iterations: this.#iterations, costUsd: this.#model.cost(this.#usage) };
  }

  /** Whole milliseconds left of the wall time; at least zero. */
  get remainingMs(): number {
    return Math.max(0, Math.ceil(this.limits.wallTimeMs - (this.#now() - this.#startedAt)));
  }

  /** Says which limit the call would break, or how many output tokens it may use. */
  reserve(
    request: Omit<ModelRequest, "maxOutputTokens">,
    wantedOutput: number,
  ): Exhaustion | { readonly maxOutputTokens: number } {
    const { limits } = this;
    if (this.#iterations >= limits.iterations) {
      return { limit: "iterations", detail: `${this.#iterations} of ${limits.iterations} iterations used` };
    }
    if (this.remainingMs === 0) {
      return { limit: "time", detail: `${Math.round(limits.wallTimeMs / 1000)} s of wall time used` };
    }
    const used = this.#usage.inputTokens + this.#usage.outputTokens;
    const input = this.#model.estimateInputTokens({ ...request, maxOutputTokens: wantedOutput });
    const left = limits.tokens - used - input;
    if (left < smallestAnswer) {
      return {
        limit: "tokens",
        detail: `${used} of ${limits.tokens} tokens used, the next call needs about ${input} more`,
      };
    }
    const cost = this.#model.cost(this.#usage);
    const next = this.#model.cost({ inputTokens: input, cachedTokens: 0, outputTokens: smallestAnswer });
    if (cost !== null && next !== null && cost + next > limits.costUsd) {
      return {
        limit: "cost",
        detail: `$${cost.toFixed(2)} of $${limits.costUsd.toFixed(2)} spent, the next call needs about $${next.toFixed(2)} more`,
      };
    }
    return { maxOutputTokens: Math.min(wantedOutput, left) };
  }

  /** Counts one answered turn. */
  charge(usage: Usage): void {
    this.#iterations += 1;
    this.#usage = {
      inputTokens: this.#usage.inputTokens + usage.inputTokens,
      cachedTokens: this.#usage.cachedTokens + usage.cachedTokens,
      outputTokens: this.#usage.outputTokens + usage.outputTokens,
    };
  }
}
