import { hunkLines } from "../checkout/changed-files.ts";
import type { Change } from "./change.ts";
import type { LoggedRun, RunLog } from "./run-log.ts";

/** What a model claims. */
export interface ClaimedFinding {
  readonly file: string;
  readonly line: number;
  readonly message: string;
  readonly evidence: { readonly run: number; readonly shows: string };
}

/** A claim whose place is on the diff and whose fact was seen. */
export interface HeldFinding {
  readonly file: string;
  readonly line: number;
  readonly message: string;
  readonly run: LoggedRun;
  /** The part of the run's output that was quoted. */
  readonly shows: string;
}

export type JudgedFinding =
  | { readonly kind: "held"; readonly finding: HeldFinding }
  /** `reason` is for the model. */
  | { readonly kind: "dropped"; readonly reason: string };

/** Lines of the new side by file: where a comment can stand. */
export type DiffLines = ReadonlyMap<string, ReadonlySet<number>>;

/** The lines of the head that the diff shows. */
export function diffLines({ files }: Pick<Change, "files">): DiffLines {
  const shown = files.map(({ file }): [string, Set<number>] => [
    file.path,
    new Set(hunkLines(file.hunks).flatMap(({ kind, line }) => (kind === "removed" ? [] : [line]))),
  ]);
  return new Map(shown.filter(([, lines]) => lines.size > 0));
}

/** Less than that can be found anywhere. */
const shortestQuote = 4;
const mostFindings = 10;

/** Holds what a model claims against the diff and against what was really run. An opinion without a fact is not kept. */
export function judgeFindings(claimed: readonly ClaimedFinding[], lines: DiffLines, runs: RunLog): JudgedFinding[] {
  return claimed.map((claim, index) =>
    index < mostFindings ? judge(claim, lines, runs) : dropped(claim, `only ${mostFindings} findings are taken`),
  );
}

function judge(claim: ClaimedFinding, lines: DiffLines, runs: RunLog): JudgedFinding {
  const { file, line, evidence, message } = claim;
  const shown = lines.get(file);
  if (shown === undefined) return dropped(claim, "the diff has no lines of this file");
  if (!shown.has(line)) return dropped(claim, "the diff does not show this line of the new file");
  const run = runs.find(evidence.run);
  if (run === undefined) return dropped(claim, `there is no run ${evidence.run}`);
  const quote = flat(evidence.shows);
  if (quote.length < shortestQuote) return dropped(claim, "the quotation is too short to show anything");
  if (!flat(run.output).includes(quote)) return dropped(claim, `run ${run.number} does not show that`);
  if (run.input !== null && flat(run.input).includes(quote)) {
    return dropped(claim, `run ${run.number} only repeats what was put into it`);
  }
  const isOnBothSides =
    run.number === 2 && runs.find(1)?.input === null && flat(runs.find(1)?.output ?? "").includes(quote);
  if (run.number === 1 || isOnBothSides)
    return dropped(claim, "the base shows the same, so the change did not cause it");
  return { kind: "held", finding: { file, line, message, run, shows: evidence.shows.trim() } };
}

function dropped({ file, line }: ClaimedFinding, reason: string): JudgedFinding {
  return { kind: "dropped", reason: `${file}:${line}: ${reason}` };
}

function flat(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
