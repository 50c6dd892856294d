import { fetchCommit } from "../checkout/fetch-commit.ts";
import type { ObjectStore } from "../checkout/object-store.ts";
import type { Checkout } from "../checkout/snapshot.ts";
import { AutolithError } from "../errors.ts";
import type { AppAccess } from "../github/app-access.ts";
import { headOf } from "../github/head-of.ts";
import type { GitHub } from "../github/octokit.ts";
import type { FixJob } from "./job.ts";
import { reachOf } from "./reach-of.ts";
import type { StartPoint } from "./start-point.ts";

export interface FetchPlace {
  readonly store: ObjectStore;
  readonly start: StartPoint;
  readonly job: FixJob;
  readonly access: AppAccess;
}

/** The checkout of the start commit, with a token that can read contents and nothing else. */
export async function fetchStart({ store, start, job, access }: FetchPlace, signal: AbortSignal): Promise<Checkout> {
  const token = await access.token(reachOf(job), "checkout", signal);
  return fetchCommit({ url: start.repository.cloneUrl, sha: start.sha, token }, store, signal);
}

/** The branch that a pull request would merge into, fetched only when it is needed. */
export function fetchBase(place: FetchPlace, github: GitHub, branch: string) {
  const { store, start, job, access } = place;
  const load = async (signal: AbortSignal): Promise<Checkout> => {
    const sha = await headOf(github, start.repository, branch, signal);
    if (sha === null) throw new AutolithError("infrastructure", `there is no branch ${branch} any more`);
    const token = await access.token(reachOf(job), "checkout", signal);
    return fetchCommit({ url: start.repository.cloneUrl, sha, token }, store, signal);
  };
  return { branch, load };
}
