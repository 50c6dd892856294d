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

/** The most that a call can take which was begun and is not settled. */
export interface Reservation {
  /** Estimated by tokenizer. */
  readonly inputTokens: number;
  /** The longest answer that is asked for. */
  readonly outputTokens: number;
  readonly costUsd: number | null;
}

/** Everything that a run took so far, in the form that outlives its process. */
export interface Spent extends Spend {
  readonly wallTimeMs: number;
  /** A process that ended without settling it leaves it open: nobody knows what was answered, but it may well have to be paid. */
  readonly inFlight: Reservation | null;
  /** Tokens in and out among those counted that are such reservations: at most so many, but not known. */
  readonly estimatedTokens: number;
}

/** Where a run's spend is written down, so that it outlives the process. */
export interface SpendBook {
  /**
   * Writes down a call before it is made, and says whether a limit over many runs forbids it. Rejects when it could not be written:
   * then the call must not be made.
   */
  reserve(spent: Spent, signal: AbortSignal): Promise<Exhaustion | null>;
  /** Writes down what was settled, in the background. */
  settle(spent: Spent): void;
}

/** For a run that begins and ends with its process. */
const noBook: SpendBook = { reserve: () => Promise.resolve(null), settle: () => {} };

/** The smallest answer worth asking for, in tokens; below it a call is not made. */
const smallestAnswer = 256;

/**
 * Counts what a run spends and says before each model call whether it still fits. A call is reserved with its estimated input and its
 * longest answer, so that a limit is overshot by the error of one estimate and one answer at most, also by a run that was cut off.
 */
export class Budget {
  readonly limits: BudgetLimits;
  readonly #model: Model;
  readonly #now: () => number;
  readonly #startedAt: number;
  readonly #book: SpendBook;
  #wallTimeBeforeMs = 0;
  #estimatedTokens = 0;
  #spend: Spend;
  #inFlight: Reservation | null = null;

  /** `earlier` is what earlier attempts at the same run took; a call that they left open counts as answered, with all that it could take. */
  constructor(limits: BudgetLimits, model: Model, now: () => number, earlier?: Spent, book: SpendBook = noBook) {
    this.limits = limits;
    this.#model = model;
    this.#now = now;
    this.#startedAt = now();
    this.#book = book;
    const nothing = { inputTokens: 0, cachedTokens: 0, outputTokens: 0 };
    this.#spend = { ...nothing, iterations: 0, costUsd: model.cost(nothing) };
    if (earlier === undefined) return;
    const { wallTimeMs, inFlight, estimatedTokens, ...spend } = earlier;
    this.#wallTimeBeforeMs = wallTimeMs;
    this.#estimatedTokens = estimatedTokens;
    if (spend.iterations > 0) this.#spend = spend;
    if (inFlight === null) return;
    this.#estimatedTokens += inFlight.inputTokens + inFlight.outputTokens;
    this.#spend = plus(this.#spend, { ...inFlight, cachedTokens: 0 }, inFlight.costUsd);
  }

  /** What was answered so far. */
  get spend(): Spend {
    return this.#spend;
  }

  /** The same with time, and with a call that is under way. */
  get spent(): Spent {
    const wallTimeMs = Math.round(this.#wallTimeMs);
    return { ...this.#spend, wallTimeMs, inFlight: this.#inFlight, estimatedTokens: this.#estimatedTokens };
  }

  get #wallTimeMs(): number {
    return this.#wallTimeBeforeMs + this.#now() - this.#startedAt;
  }

  /** Whole milliseconds left of the wall time; at least zero. */
  get remainingMs(): number {
    return Math.max(0, Math.ceil(this.limits.wallTimeMs - this.#wallTimeMs));
  }

  /** Says which limit the call would break, or how many output tokens it may use; then it is written down. */
  async reserve(
    request: Omit<ModelRequest, "maxOutputTokens">,
    wantedOutput: number,
    signal: AbortSignal,
  ): Promise<Exhaustion | { readonly maxOutputTokens: number }> {
    const inputTokens = this.#model.estimateInputTokens({ ...request, maxOutputTokens: wantedOutput });
    const exhaustion = this.#exhaustion(inputTokens);
    if (exhaustion !== null) return exhaustion;
    const outputTokens = Math.min(wantedOutput, this.#tokensLeft - inputTokens);
    const costUsd = this.#model.cost({ inputTokens, cachedTokens: 0, outputTokens });
    this.#inFlight = { inputTokens, outputTokens, costUsd };
    const forbidden = await this.#book.reserve(this.spent, signal);
    if (forbidden === null) return { maxOutputTokens: outputTokens };
    this.#inFlight = null;
    return forbidden;
  }

  get #tokensLeft(): number {
    return this.limits.tokens - this.#spend.inputTokens - this.#spend.outputTokens;
  }

  /** The limit that a call with so much input would break. */
  #exhaustion(inputTokens: number): Exhaustion | null {
    const { limits } = this;
    const { iterations, costUsd: cost } = this.#spend;
    if (iterations >= limits.iterations) {
      return { limit: "iterations", detail: `${iterations} of ${limits.iterations} iterations used` };
    }
    if (this.remainingMs === 0) {
      return { limit: "time", detail: `${Math.round(limits.wallTimeMs / 1000)} s of wall time used` };
    }
    if (this.#tokensLeft - inputTokens < smallestAnswer) {
      const used = limits.tokens - this.#tokensLeft;
      const detail = `${used} of ${limits.tokens} tokens used, the next call needs about ${inputTokens} more`;
      return { limit: "tokens", detail };
    }
    const next = this.#model.cost({ inputTokens, cachedTokens: 0, outputTokens: smallestAnswer });
    if (cost === null || next === null || cost + next <= limits.costUsd) return null;
    const spent = `$${cost.toFixed(2)} of $${limits.costUsd.toFixed(2)} spent`;
    return { limit: "cost", detail: `${spent}, the next call needs about $${next.toFixed(2)} more` };
  }

  /** Counts one answered turn. */
  charge(usage: Usage): void {
    this.#spend = plus(this.#spend, usage, this.#model.cost(usage));
    this.release();
  }

  /** Gives a reservation back because the call was refused: nobody is paid for that. */
  release(): void {
    this.#inFlight = null;
    this.#book.settle(this.spent);
  }
}

function plus(spend: Spend, usage: Usage, costUsd: number | null): Spend {
  return {
    inputTokens: spend.inputTokens + usage.inputTokens,
    cachedTokens: spend.cachedTokens + usage.cachedTokens,
    outputTokens: spend.outputTokens + usage.outputTokens,
    iterations: spend.iterations + 1,
    costUsd: spend.costUsd === null || costUsd === null ? null : spend.costUsd + costUsd,
  };
}
