import type { IgnoreReason } from "./change.ts";
import { causeId, causesKnown, type FixJob, isAsked, isWish, type Job, withCauses } from "./job.ts";

/** The jobs that a request meets under its key. */
export interface Standing<J extends Job = FixJob> {
  readonly queued: J | null;
  readonly active: { readonly job: J; readonly isEnding: boolean } | null;
  /** Ended jobs of the requested commit. */
  readonly ended: readonly { readonly job: J; readonly outcome: string }[];
  /** What was last pushed to the pull request; null when no event told. */
  readonly head: { readonly sha: string; readonly pushedAt: Date; readonly draft: boolean } | null;
}

/** What becomes of a request. `job` is what the record then says. */
export type Placement<J extends Job = FixJob> =
  | { readonly kind: "ignored"; readonly reason: IgnoreReason }
  | { readonly kind: "joins-active"; readonly job: J }
  | { readonly kind: "joins-queued"; readonly job: J; readonly startsNow: boolean }
  | { readonly kind: "replaces-queued"; readonly job: J; readonly supersedesActive: boolean }
  | { readonly kind: "queues"; readonly job: J; readonly supersedesActive: boolean };

/**
 * Decides what a request for a repair does: one job per commit, whatever number of checks and people ask for it; a newer commit
 * takes the place of an older one; what failed once is not tried again unless a person asks.
 */
export function place<J extends Job>(request: J, standing: Standing<J>): Placement<J> {
  const { queued, active } = standing;
  const reason = reasonToIgnore(request, standing);
  if (reason !== null) return { kind: "ignored", reason };
  if (active?.job.sha === request.sha && !active.isEnding) {
    return { kind: "joins-active", job: withCauses(active.job, request) };
  }
  const supersedesActive = active !== null && !active.isEnding;
  if (queued === null) return { kind: "queues", job: request, supersedesActive };
  if (queued.sha !== request.sha) return { kind: "replaces-queued", job: request, supersedesActive };
  return { kind: "joins-queued", job: withCauses(queued, request), startsNow: isAsked(request) };
}

function reasonToIgnore(request: Job, { queued, active, ended, head }: Standing<Job>): IgnoreReason | null {
  const others = [queued, active?.job].filter((job) => job != null);
  if (isAsked(request)) {
    const ids = new Set(request.causes.map(causeId));
    const known = [...others, ...ended.map(({ job }) => job)].flatMap((job) => job.causes);
    if (known.some((cause) => isWish(cause) && ids.has(causeId(cause)))) return "known";
    // Times of GitHub are whole seconds; in doubt it was pushed since.
    if (head !== null && head.pushedAt >= askedAt(request)) return "pushed-since";
  } else {
    if (head !== null && head.sha !== request.sha && head.pushedAt > new Date(request.shaSeenAt)) return "older-commit";
    if (head?.draft) return "draft";
  }
  if (others.some((job) => job.sha !== request.sha && isNewer(job, request, head))) return "older-commit";
  if (!isAsked(request) && isHandled(request, { active, ended })) return "handled";
  return null;
}

/** Times of GitHub are whole seconds; between two pushes within one, what the branch was last known to be at decides. */
function isNewer(job: Job, other: Job, head: Standing["head"]): boolean {
  const lead = Date.parse(job.shaSeenAt) - Date.parse(other.shaSeenAt);
  return lead > 0 || (lead === 0 && head?.sha === job.sha);
}

/** The earliest moment at which a person of the request asked. */
function askedAt(request: Job): Date {
  const moments = request.causes.filter(isWish).map((cause) => Date.parse(cause.askedAt));
  return new Date(Math.min(...moments));
}

/** These say nothing about the commit, so the next event may try again; a review ends so too when its pull request is closed. */
const inconclusive = { fix: ["infrastructure", "stale"], review: ["infrastructure", "stale", "cancelled"] };

function isHandled(request: Job, { active, ended }: Pick<Standing<Job>, "active" | "ended">): boolean {
  if (active?.isEnding && active.job.sha === request.sha) return true;
  const conclusive = ended.filter(({ outcome }) => !inconclusive[request.kind].includes(outcome));
  // What a review saw is what a failing check has told before it.
  if (conclusive.length > 0 && request.causes.every(({ kind }) => kind === "review")) return true;
  const ids = new Set(conclusive.flatMap(({ job }) => causesKnown(job)));
  return request.causes.every((cause) => ids.has(causeId(cause)));
}
