import Bottleneck from "bottleneck";
import { ProbotOctokit } from "probot";
import { redirectingFetch } from "./redirecting-fetch.ts";

/**
 * A job writes a dozen times, one after another: GitHub's second between writes is for those who write many times.
 * https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api
 */
const write = new Bottleneck.Group({ id: "autolith-write", maxConcurrent: 1, minTime: 200 });

/**
 * Octokit as Autolith uses it. What GitHub refused for good is not asked again, and neither is 429, whose Retry-After the retry plugin
 * ignores; a create is never repeated after an ambiguous failure (`once`), since the first try may have worked. No rate limit is sat out
 * here: the job goes back to the queue until it is over, and its worker is free.
 */
export const AutolithOctokit = ProbotOctokit.defaults((defaults: Record<string, object>) => ({
  ...defaults,
  retry: { ...defaults["retry"], doNotRetry: [400, 401, 403, 404, 405, 409, 410, 422, 429, 451] },
  throttle: {
    ...defaults["throttle"],
    write,
    onRateLimit: () => false,
    onSecondaryRateLimit: () => false,
  },
}));

/** A client with one token's rights. */
export type GitHub = InstanceType<typeof ProbotOctokit>;

/** Request options of a call that must not be repeated by itself: creating twice is worse than failing. */
export const once = { retries: 0 } as const;

/** Versions differ in what they answer; this is the one that every supported server knows. */
const apiVersion = "2022-11-28";

export interface ClientOptions {
  /** Base of the REST API, without a slash at its end. */
  readonly apiUrl: string;
  readonly auth: { readonly token: string } | { readonly appId: number; readonly privateKey: string };
  /** Rate limits are counted for each of these apart. */
  readonly throttleId: string;
}

/** Octokit would print to the console, with addresses and at times with what was asked; errors are reported where they are caught. */
const silent = { trace() {}, debug() {}, info() {}, warn() {}, error() {}, fatal() {} };

/** A client that sends its requests to the given server only, also for minting tokens. */
export function gitHubClient(options: ClientOptions): GitHub {
  const { auth, apiUrl: baseUrl, throttleId: id } = options;
  const octokit = new AutolithOctokit({
    ...{ auth, baseUrl, throttle: { id }, log: silent },
    request: { fetch: redirectingFetch },
  });
  octokit.hook.before("request", (request) => {
    request.headers["x-github-api-version"] = apiVersion;
  });
  return octokit;
}
