import type { dialects } from "../store/use-store.ts";
import { answersNeeded, type KillPoint, killPoints } from "./kill-points.ts";
import { randomOf, shuffled } from "./seeded-random.ts";

export interface Schedule {
  readonly title: string;
  readonly dialect: (typeof dialects)[number];
  readonly kills: readonly KillPoint[];
}

/** Model answers that the service allows in one run. */
const iterationLimit = 15;

/**
 * Schedules of one or two kills that follow from the seed alone. Every point comes first equally often, and on both dialects in
 * turn: as many schedules as there are points meet each of them, twice as many meet each on both.
 */
export function crashSchedules(seed: number, count: number): Schedule[] {
  const random = randomOf(seed);
  const firsts: KillPoint[] = [];
  while (firsts.length < count) firsts.push(...shuffled(killPoints, random));
  return firsts.slice(0, count).map((first, index) => {
    const followers = killPoints.filter((second) => canFollow(first, second));
    const second = random() < 0.4 ? followers[Math.floor(random() * followers.length)] : undefined;
    const kills = second === undefined ? [first] : [first, second];
    const round = Math.floor(index / killPoints.length);
    const dialect = (killPoints.indexOf(first) + round + seed) % 2 === 0 ? "pglite" : "postgresql";
    return { dialect, kills, title: `${dialect}: ${kills.map(({ name }) => name).join(", then ")}` };
  });
}

/** How many answers the model gives in all: what is proven is not paid again. */
export function answersOf(kills: readonly KillPoint[]): number {
  return kills.reduce((sum, { proven, answers }) => sum + (proven ? 0 : answers), answersNeeded);
}

/** How many answers count as paid in all: those that were under way when the process died are not known to be free. */
function countedOf(kills: readonly KillPoint[]): number {
  return answersOf(kills) + kills.filter(({ inFlight }) => inFlight).length;
}

/** Whether the second moment comes at all in the attempt that goes on after the first. What was made is not made again. */
function canFollow(first: KillPoint, second: KillPoint): boolean {
  if (first.stage === "ended") return false;
  switch (second.stage) {
    case "queued":
    case "opening":
      return false;
    case "attempt":
      return !first.proven && countedOf([first, second]) <= iterationLimit;
    case "publishing":
      return !first.proven || killPoints.indexOf(second) > killPoints.indexOf(first);
    case "closing":
    case "ended":
      return true;
  }
}
