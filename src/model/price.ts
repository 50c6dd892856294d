import { createRequire } from "node:module";
import type * as Prices from "@pydantic/genai-prices";
import type { Usage } from "./model.ts";

export interface PricedModel {
  readonly baseUrl: string;
  readonly model: string;
  /** Some vendors' prices depend on the time of day. */
  readonly at: Date;
}

/**
 * Price of the usage in USD by the bundled price list of genai-prices; null when it is unknown. Known is a model that the endpoint's own
 * vendor lists; at any other endpoint only `provider/model`, when it names both exactly (a gateway such as LiteLLM).
 * Linear in the usage, so that the price of many answers is the price of their sum: surcharges for single requests of more than
 * 200,000 tokens are left out.
 */
export function priceOf(usage: Usage, { baseUrl, model, at }: PricedModel): number | null {
  const named = vendorModel(baseUrl, model);
  if (named === null) return null;
  const rate = (tokens: Prices.Usage): number => {
    const price = prices().calcPrice(tokens, named.model, { providerId: named.provider, timestamp: at });
    return price === null || (named.exact && price.model.id !== named.model) ? Number.NaN : price.total_price / sample;
  };
  const cached = Math.min(usage.cachedTokens, usage.inputTokens);
  const total =
    rate({ input_tokens: sample }) * (usage.inputTokens - cached) +
    rate({ input_tokens: sample, cache_read_tokens: sample }) * cached +
    rate({ output_tokens: sample }) * usage.outputTokens;
  return Number.isFinite(total) ? total : null;
}

/** Tokens whose price gives the rate: few enough for no surcharge, many enough for no rounding. */
const sample = 1_000;

interface NamedModel {
  readonly provider: string;
  readonly model: string;
  /** When true the list must hold the model by this very id; the vendor's own endpoint also takes dated names. */
  readonly exact: boolean;
}

function vendorModel(baseUrl: string, model: string): NamedModel | null {
  const vendor = prices().findProvider({ providerApiUrl: baseUrl });
  if (vendor !== undefined) return { provider: vendor.id, model, exact: false };
  const slash = model.indexOf("/");
  if (slash <= 0) return null;
  const provider = model.slice(0, slash);
  const known = prices().findProvider({ providerId: provider });
  return known?.id === provider ? { provider, model: model.slice(slash + 1), exact: true } : null;
}

let loaded: typeof Prices | undefined;

/** Loaded at the first price: half a megabyte of data. */
function prices(): typeof Prices {
  loaded ??= createRequire(import.meta.url)("@pydantic/genai-prices") as typeof Prices;
  return loaded;
}
