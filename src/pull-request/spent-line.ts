import type { Usage } from "../model/model.ts";

/** Tokens and money, as a person reads them beside a run. */
export function spentLine({ costUsd, ...usage }: Usage & { readonly costUsd: number | null }): string {
  return `Spent: ${spentWords({ ...usage, costUsd })}.`;
}

/** The same inside a sentence. */
export function spentWords({
  inputTokens,
  cachedTokens,
  outputTokens,
  costUsd,
}: Usage & { readonly costUsd: number | null }): string {
  const cost = costUsd === null ? "price unknown" : `$${costUsd.toFixed(4)}`;
  const cached = cachedTokens === 0 ? "" : ` (${cachedTokens} from cache)`;
  return `${inputTokens} tokens in${cached}, ${outputTokens} out, ${cost}`;
}
