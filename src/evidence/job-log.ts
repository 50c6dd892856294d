import { setTimeout as delay } from "node:timers/promises";
import type { GitHub } from "../github/octokit.ts";
import { named, type Repository } from "../github/repository.ts";

export type JobLog =
  | { readonly kind: "log"; readonly text: string }
  /** `reason` is for a person. */
  | { readonly kind: "missing"; readonly reason: string };

export interface JobLogOptions {
  readonly github: GitHub;
  readonly repository: Repository;
  readonly jobId: number;
  /** Base of the REST API: a log may lie on its host by the same protocol, else only behind https. */
  readonly apiUrl: string;
  /** Waits between tries, in milliseconds; logs come late. */
  readonly waitsMs: readonly number[];
}

/** Seen in the field: a log that is not there yet is 404, sometimes an empty 200; one that expired is 410, now and then by mistake. */
export const defaultLogWaitsMs = [2_000, 5_000, 15_000] as const;
/** Only the end of a longer log is kept: that is where the failure is. */
const keptBytes = 20 * 1024 * 1024;
const downloadMs = 60_000;

/** The text of a job's log. What GitHub does not give is a value, since other evidence may do. */
export async function fetchJobLog(options: JobLogOptions, signal: AbortSignal): Promise<JobLog> {
  let reason = "";
  for (const wait of [0, ...options.waitsMs]) {
    if (wait > 0) await delay(wait, undefined, { signal });
    const found = await tryOnce(options, signal);
    if (found.kind === "log" && found.text.trim() !== "") return found;
    reason = found.kind === "missing" ? found.reason : "the log is empty";
    if (found.kind === "missing" && found.final) break;
  }
  return { kind: "missing", reason };
}

type Try =
  | { readonly kind: "log"; readonly text: string }
  | { readonly kind: "missing"; readonly reason: string; readonly final: boolean };

async function tryOnce(options: JobLogOptions, signal: AbortSignal): Promise<Try> {
  const address = await logAddress(options, signal);
  if (typeof address !== "string") return address;
  const url = URL.parse(address);
  if (url === null || !mayFetch(url, options.apiUrl)) {
    return {
      kind: "missing",
      reason: `the log's address is not one to follow (${url?.host ?? "no address"})`,
      final: true,
    };
  }
  const limit = AbortSignal.any([signal, AbortSignal.timeout(downloadMs)]);
  try {
    // No token goes along: the address carries its own short-lived right.
    const response = await fetch(url, { signal: limit, redirect: "error" });
    if (response.status === 200) return { kind: "log", text: await tail(response) };
    return { kind: "missing", reason: `the log's store answered ${response.status}`, final: false };
  } catch {
    signal.throwIfAborted();
    return { kind: "missing", reason: "the log could not be downloaded", final: false };
  }
}

async function logAddress({ github, repository, jobId }: JobLogOptions, signal: AbortSignal): Promise<string | Try> {
  try {
    const response = await github.rest.actions.downloadJobLogsForWorkflowRun({
      ...named(repository),
      job_id: jobId,
      request: { signal, redirect: "manual" },
    });
    return response.headers.location ?? response.url;
  } catch (error) {
    signal.throwIfAborted();
    const status = error instanceof Error && "status" in error ? Number(error.status) : 0;
    if (status === 404) return { kind: "missing", reason: "GitHub has no log of the job", final: false };
    if (status === 410) return { kind: "missing", reason: "the job's log has expired", final: false };
    if (status === 403)
      return { kind: "missing", reason: "the App may not read logs (actions: read is missing)", final: true };
    throw error;
  }
}

/** An answer of the API is trusted to name a store on the internet, but not a service beside us. */
function mayFetch(url: URL, apiUrl: string): boolean {
  const api = new URL(apiUrl);
  return url.protocol === "https:" || (url.protocol === api.protocol && url.hostname === api.hostname);
}

async function tail(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    size += chunk.length;
    while (size - (chunks[0]?.length ?? 0) >= keptBytes) size -= chunks.shift()?.length ?? 0;
  }
  return Buffer.concat(chunks).subarray(-keptBytes).toString("utf8");
}
