/**
 * Bots whose pull requests are reviewed, by the id of their user on github.com: a login can be taken by somebody else, an id cannot.
 * https://api.github.com/users/dependabot[bot] and the like tell them.
 */
export const knownBots = {
  dependabot: 49_699_333,
  renovate: 29_139_614,
  copilot: 198_982_749,
  "github-actions": 41_898_282,
} as const;

export type KnownBot = keyof typeof knownBots;
