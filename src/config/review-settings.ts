import { type KnownBot, knownBots } from "./known-bots.ts";
import type { RepoConfig } from "./repo-config.ts";

/** A bot whose pull requests are reviewed. */
export interface ReviewedBot {
  /** Of its user. */
  readonly id: number;
  /** Whether its commits have to be verified. */
  readonly signed: boolean;
}

/** How pull requests are reviewed, with the defaults filled in. */
export interface ReviewSettings {
  readonly bots: readonly ReviewedBot[];
  readonly event: "comment" | "request_changes";
  readonly approve: boolean;
}

export function reviewSettings({ review = {} }: RepoConfig): ReviewSettings {
  const { bots = Object.keys(knownBots) as KnownBot[], event = "comment", approve = false } = review;
  return {
    bots: bots.map((bot) => {
      if (typeof bot === "object") return bot;
      return { id: typeof bot === "number" ? bot : knownBots[bot], signed: true };
    }),
    event,
    approve,
  };
}
