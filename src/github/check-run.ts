import { fixCheckName } from "../config/check-names.ts";
import { type GitHub, once } from "./octokit.ts";
import { named, type Repository } from "./repository.ts";

/** GitHub's limit of a check's summary and text, in bytes of UTF-8. */
const longestText = 65_535;

export type Conclusion = "success" | "neutral" | "cancelled";

export interface CheckText {
  readonly title: string;
  readonly summary: string;
}

/**
 * The App's own check run on a commit. Looked for before it is made, by the job's id, so that a job that starts again after a crash
 * goes on with the same one.
 */
export async function openCheckRun(
  github: GitHub,
  repository: Repository,
  check: {
    readonly headSha: string;
    readonly externalId: string;
    readonly text: CheckText;
    /** By default that of a repair. */
    readonly name?: string;
  },
  signal: AbortSignal,
): Promise<number> {
  const { headSha, externalId, text, name = fixCheckName } = check;
  const running = { status: "in_progress", output: fitting(text) } as const;
  const found = await findCheckRun(github, repository, { headSha, externalId, name }, signal);
  if (found !== null) {
    await github.rest.checks.update({ ...named(repository), check_run_id: found, ...running, request: { signal } });
    return found;
  }
  const { data } = await github.rest.checks.create({
    ...named(repository),
    name,
    head_sha: headSha,
    external_id: externalId,
    ...running,
    request: { signal, ...once },
  });
  return data.id;
}

/** Shows how far the job is; the check stays in progress. */
export async function updateCheckRun(
  github: GitHub,
  repository: Repository,
  id: number,
  text: CheckText,
  signal: AbortSignal,
): Promise<void> {
  await github.rest.checks.update({
    ...named(repository),
    check_run_id: id,
    output: fitting(text),
    request: { signal },
  });
}

/** Ends the check. Never as a failure: a required check must not be red because of Autolith. */
export async function closeCheckRun(
  github: GitHub,
  repository: Repository,
  id: number,
  end: { readonly conclusion: Conclusion; readonly text: CheckText },
  signal: AbortSignal,
): Promise<void> {
  await github.rest.checks.update({
    ...named(repository),
    check_run_id: id,
    status: "completed",
    conclusion: end.conclusion,
    output: fitting(end.text),
    request: { signal },
  });
}

/** The id of the App's check run of a job; null when there is none. */
export async function findCheckRun(
  github: GitHub,
  repository: Repository,
  check: { readonly headSha: string; readonly externalId: string; readonly name?: string },
  signal: AbortSignal,
): Promise<number | null> {
  const { headSha, externalId, name = fixCheckName } = check;
  const { data } = await github.rest.checks.listForRef({
    ...named(repository),
    ref: headSha,
    check_name: name,
    per_page: 100,
    request: { signal },
  });
  return data.check_runs.find((run) => run.external_id === externalId)?.id ?? null;
}

function fitting({ title, summary }: CheckText): { title: string; summary: string } {
  return { title: title.slice(0, 250), summary: cutToBytes(summary, longestText) };
}

/** Cuts at a character's boundary. */
function cutToBytes(text: string, bytes: number): string {
  const encoded = Buffer.from(text, "utf8");
  if (encoded.length <= bytes) return text;
  const mark = "\n…";
  return `${new TextDecoder("utf-8").decode(encoded.subarray(0, bytes - 8), { stream: true })}${mark}`;
}
