import type { Spend } from "../model/budget.ts";
import { codeSpan, plainMarkdown } from "../pull-request/neutralise.ts";
import { spentLine } from "../pull-request/spent-line.ts";
import type { JobOutcome } from "./ending.ts";
import type { Subject } from "./job.ts";

/** What a check run and a comment show: a line, and what follows from it. Markdown. */
export interface StatusText {
  readonly title: string;
  readonly summary: string;
}

/** What the words depend on: on a branch no comment can ask for another try, and the check's own button does. */
export type Manner = "pull-request" | "branch" | "issue";

export function mannerOf(subject: Subject): Manner {
  if (subject.kind === "issue") return "issue";
  return subject.pullRequest === null ? "branch" : "pull-request";
}

/** What a check run is called when a job has ended. */
export const titles: Readonly<Record<JobOutcome, string>> = {
  opened: "Repair proposed",
  suggested: "Repair suggested",
  reviewed: "Reviewed",
  clean: "Nothing to object to",
  "not-reproduced": "Not reproduced",
  flaky: "Flaky",
  "red-on-base": "Red on the base branch too",
  environment: "Cannot run here",
  exhausted: "Limit reached",
  stuck: "No repair found",
  "gave-up": "No repair found",
  rejected: "No repair held",
  stale: "Overtaken by a newer commit",
  cancelled: "Cancelled",
  infrastructure: "Autolith is broken",
};

/** What a job's end is told from. */
export interface Ended {
  readonly outcome: JobOutcome;
  /** One line; may quote a model or a repository. */
  readonly reason: string;
  /** The line as Markdown of ours, where it has a link in it. */
  readonly line?: string | undefined;
  /** It is broken infrastructure, and another attempt may find it whole. */
  readonly mayPass?: boolean;
  /** Markdown of ours that follows the line, such as a patch. */
  readonly more?: string | undefined;
}

/** How a job ended, and what to do next. */
export function endedText({ outcome, reason, line, more }: Ended, manner: Manner): StatusText {
  const sections = [line ?? sentence(reason), nextStep(outcome, manner), ...(more === undefined ? [] : [more])];
  return { title: titles[outcome], summary: sections.join("\n\n") };
}

function nextStep(outcome: JobOutcome, manner: Manner): string {
  const again = manner === "branch" ? "press *Re-run* on this check" : "comment `/autolith fix`";
  const withHint = manner === "branch" ? again : "comment `/autolith fix`, with a hint behind it if you have one";
  if (manner === "issue" && outcome === "not-reproduced")
    return `Next: add what is missing to the issue, then ${withHint}.`;
  if (manner === "issue" && outcome === "stale") return `Next: to have it tried on the newer commit, ${again}.`;
  switch (outcome) {
    case "opened":
      return "Next: review it; the proof and every step are in its description.";
    case "reviewed":
    case "clean":
      return "Next: nothing; it was a review.";
    case "suggested":
      return "Next: review the patch below; nothing was pushed.";
    case "not-reproduced":
      return `Next: run the check again. If it stays red there, name CI's command by \`test:\` in \`.github/autolith.yml\`, then ${again}.`;
    case "flaky":
      return `Next: when it is reliable, ${again} if the check is still red.`;
    case "red-on-base":
      return "Next: repair the base branch, then bring this branch up to date with it.";
    case "environment":
      return `Next: make the tests runnable without it, or name some that are by \`test:\` in \`.github/autolith.yml\`, then ${again}.`;
    case "exhausted":
    case "stuck":
    case "gave-up":
    case "rejected":
      return `Next: to have it tried again, ${withHint}.`;
    case "stale":
      return `Next: the newer commit gets a run of its own when its checks fail${manner === "pull-request" ? "; to ask for one now, comment `/autolith fix`" : ""}.`;
    case "cancelled":
      return `Next: to start again, ${again}.`;
    case "infrastructure":
      return `Next: whoever runs this Autolith finds the cause in its log; to try again, ${again}.`;
  }
}

/** Said when an attempt broke and another one follows. */
export function brokenOffText(reason: string): StatusText {
  return { title: "Interrupted; it will be tried again", summary: sentence(reason) };
}

/** The end with a note about the repository's configuration, when something is wrong with it. */
export function withNote(end: Ended, problem: string | null): Ended {
  if (problem === null) return end;
  const note = `Note: ${plainMarkdown(oneLine(problem))}`;
  return { ...end, more: end.more === undefined ? note : `${end.more}\n\n${note}` };
}

/** What the pull request that was opened is announced with. */
function openedLine(number: number): string {
  return `Proposed a proven repair: #${number}.`;
}

/** The end of a job that opened a pull request. */
export function openedEnd(number: number): Ended & { readonly outcome: "opened" } {
  return { outcome: "opened", reason: `proposed by pull request #${number}`, line: openedLine(number) };
}

/** Said in place of a patch that a comment cannot hold. */
export function tooLong(run: string): string {
  return `The patch cannot be shown here; it is in the trace of run ${codeSpan(run)}, which whoever runs this Autolith has.`;
}

/** Why something that Autolith could have repaired is left alone. */
export const refusedBefore = "people closed the pull request with a repair of this very failure without merging it";

/** A comment is a title in bold and the text below it, with a word about where one comes from the first time. */
export function commentText({ title, summary }: StatusText, isFirst: boolean): string {
  const text = `**Autolith: ${title}**\n\n${summary}`;
  return isFirst ? `${text}\n\n${greeting}` : text;
}

const greeting =
  "<sub>This is Autolith's first word in this repository. It tries to repair failing checks of pull requests and of the default branch, and what an issue reports when somebody asks, and shows what it does. To switch it off, take the repository out of the App's installation. `/autolith help` lists what it understands.</sub>";

/** The one line above what a model or a repository said. */
export function findingLines(
  findings: readonly {
    readonly rule: string;
    readonly file: string;
    readonly line: number;
    readonly message: string;
  }[],
): string | undefined {
  if (findings.length === 0) return undefined;
  const shown = findings.slice(0, 10).map(({ rule, file, line, message }) => {
    const place = file === "" ? "" : `${codeSpan(line === 0 ? file : `${file}:${line}`)} `;
    return `- ${place}${codeSpan(rule)} ${plainMarkdown(oneLine(message))}`;
  });
  const more = findings.length > shown.length ? [`- and ${findings.length - shown.length} more`] : [];
  return `What the proof found:\n\n${[...shown, ...more].join("\n")}`;
}

/** What a run that proposes nothing leaves to be said: what was found, and what it took. */
export function runFacts(
  findings: Parameters<typeof findingLines>[0],
  spend: Spend,
  tried?: string | undefined,
): string | undefined {
  const facts = [tried, findingLines(findings), spend.iterations === 0 ? undefined : spentLine(spend)];
  return facts.filter((each) => each !== undefined).join("\n\n") || undefined;
}

function sentence(text: string): string {
  const flat = plainMarkdown(oneLine(text));
  return `${flat.charAt(0).toUpperCase()}${flat.slice(1)}.`.replace(/([.?!…])\.$/, "$1");
}

const longestLine = 600;

function oneLine(text: string): string {
  const flat = text.replace(/\s+/g, " ").trim();
  return flat.length > longestLine ? `${flat.slice(0, longestLine - 1)}…` : flat;
}
