import type { EndpointFailure } from "./endpoint-failure.ts";

/** What an endpoint is taken to understand; learnt from what it refuses, and kept for the life of the model. */
export interface Capabilities {
  readonly streaming: boolean;
  /** Whether a stream may be asked for its usage. */
  readonly streamUsage: boolean;
  readonly limitField: "max_tokens" | "max_completion_tokens";
  /** True once the other field was tried: the two are never tried in a circle. */
  readonly limitFieldSettled: boolean;
  /** `text`: tools are described in the prompt and called in text. */
  readonly tools: "native" | "text";
}

/** What may be changed when the endpoint objects; the rest was forced by the caller. */
export interface Freedom {
  readonly streaming: boolean;
  readonly tools: boolean;
}

/**
 * The capabilities to try after a request was refused; null when the refusal is about something else. Each step gives one thing up for
 * good, so that a chain of refusals ends.
 */
export function adapted(current: Capabilities, refusal: EndpointFailure, freedom: Freedom): Capabilities | null {
  if (!isAboutRequest(refusal)) return null;
  const names = (name: RegExp): boolean => name.test(refusal.parameter ?? "") || name.test(refusal.detail);
  if (current.streamUsage && current.streaming && names(/stream_options|include_usage/)) {
    return { ...current, streamUsage: false };
  }
  if (!(refusal.status === 500 ? unsupportedInFailure : unsupported).test(refusal.detail)) return null;
  if (!current.limitFieldSettled && names(new RegExp(`\\b${current.limitField}\\b`))) {
    const limitField = current.limitField === "max_tokens" ? "max_completion_tokens" : "max_tokens";
    return { ...current, limitField, limitFieldSettled: true };
  }
  if (freedom.tools && current.tools === "native" && names(toolWords) && !names(messageWords)) {
    return { ...current, tools: "text" };
  }
  if (freedom.streaming && current.streaming && names(/\bstream(ing)?\b/i)) {
    return { ...current, streaming: false };
  }
  return null;
}

/** 404: OpenRouter has no provider for the model that takes tools. 405, 501: no streaming at all. 500: older Ollama versions. */
function isAboutRequest({ kind, status }: EndpointFailure): boolean {
  return kind === "refused" ? status !== 401 && status !== 403 : status === 500;
}

const unsupported =
  /not (?:\w+ )?(?:support|implement|available|enabled|permitted|allowed)|unsupported|unknown|unrecogni[sz]ed|unexpected|extra (?:inputs|fields)|requires --|no endpoints found|must be verified|use '?max_/i;

/** Status 500 is mostly a real failure, so fewer words are taken for a refusal: those of Ollama and llama.cpp. */
const unsupportedInFailure = /not (?:\w+ )?(?:support|implement)|unsupported|requires --/i;

const toolWords = /\btools?\b|\btool_choice\b|\bfunction.?call/i;

/** Words of complaints about the conversation rather than about tools as such. */
const messageWords = /tool_call_id|\brole\b|tool_calls?['"\]]/i;
