import { type Conclusion, closeCheckRun, openCheckRun, updateCheckRun } from "../github/check-run.ts";
import type { GitHub } from "../github/octokit.ts";
import type { Repository } from "../github/repository.ts";
import { updateStickyComment, writeStickyComment } from "../github/sticky-comment.ts";
import { redact } from "../redact.ts";
import { LatestWriter } from "./latest-writer.ts";
import { commentText, type StatusText } from "./words.ts";

export interface StatusOptions {
  readonly github: GitHub;
  readonly repository: Repository;
  readonly appId: number;
  /** The commit that gets the check run; null: only the comment speaks. */
  readonly headSha: string | null;
  /** Tells the job's own check run from others of the App. */
  readonly jobId: string;
  /** Number of the issue or pull request that gets the comment; null: only the check run speaks. */
  readonly issue: number | null;
  /** Whether Autolith has not spoken in the repository before. */
  readonly isFirst: boolean;
  readonly secrets: readonly string[];
  /** The shortest time between two updates, in milliseconds. */
  readonly everyMs: number;
  /** Hears of updates that failed, which nobody waits for, and says until when GitHub would refuse the next one. */
  readonly onError: (error: unknown) => Date | null;
}

/** The GitHub ids of what shows a job's state. */
export interface StatusIds {
  readonly checkRunId: number | null;
  readonly commentId: number | null;
}

/** Where a job is seen at GitHub: its check run, which an issue has not, and on an issue or a pull request the one comment. */
export class Status {
  readonly ids: StatusIds;
  readonly #options: StatusOptions;
  readonly #live: LatestWriter<StatusText>;

  private constructor(options: StatusOptions, ids: StatusIds) {
    this.ids = ids;
    this.#options = options;
    const { everyMs, onError } = options;
    this.#live = new LatestWriter({ write: (text, signal) => this.#update(text, signal), everyMs, onError });
  }

  /** Makes the check run and the comment, or takes those of an earlier attempt. */
  static async open(options: StatusOptions, text: StatusText, signal: AbortSignal): Promise<Status> {
    const { github, repository, headSha, jobId: externalId } = options;
    const clean = redacted(text, options.secrets);
    const [checkRunId, commentId] = await Promise.all([
      headSha === null ? null : openCheckRun(github, repository, { headSha, externalId, text: clean }, signal),
      writeComment(options, clean, signal),
    ]);
    return new Status(options, { checkRunId, commentId });
  }

  /** Shows how far the job is, soon; only the latest is sure to be shown. */
  show(text: StatusText): void {
    this.#live.put(text);
  }

  /** Ends what is under way, so that nothing old is written later. Never hangs, never rejects. */
  quiet(): Promise<void> {
    return this.#live.stop();
  }

  /** Shows something now, and nothing after it. */
  async say(text: StatusText, signal: AbortSignal): Promise<void> {
    await this.quiet();
    await this.#update(text, signal);
  }

  /** Says how the job ended, for good. */
  async close(text: StatusText, conclusion: Conclusion, signal: AbortSignal): Promise<void> {
    await this.quiet();
    const { github, repository, secrets } = this.#options;
    const clean = redacted(text, secrets);
    const { checkRunId } = this.ids;
    if (checkRunId !== null) await closeCheckRun(github, repository, checkRunId, { conclusion, text: clean }, signal);
    await writeComment(this.#options, clean, signal);
  }

  async #update(text: StatusText, signal: AbortSignal): Promise<void> {
    const { github, repository, secrets } = this.#options;
    const clean = redacted(text, secrets);
    const { checkRunId, commentId: id } = this.ids;
    if (checkRunId !== null) await updateCheckRun(github, repository, checkRunId, clean, signal);
    if (id === null) return;
    const comment = { id, text: commentText(clean, this.#options.isFirst) };
    await updateStickyComment(github, repository, comment, signal);
  }
}

async function writeComment(options: StatusOptions, text: StatusText, signal: AbortSignal): Promise<number | null> {
  const { github, repository, appId, issue, isFirst } = options;
  if (issue === null) return null;
  return writeStickyComment(github, repository, { issue, appId, text: commentText(text, isFirst) }, signal);
}

function redacted({ title, summary }: StatusText, secrets: readonly string[]): StatusText {
  return { title: redact(title, secrets), summary: redact(summary, secrets) };
}
