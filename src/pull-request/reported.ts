import type { TraceRecord } from "../trace/event.ts";
import { codeBlock, codeSpan, tableCell } from "./neutralise.ts";

/** The issue that a repair is for. */
export interface ReportedIssue {
  readonly number: number;
  readonly title: string;
}

const shownTitle = 200;
const shownTest = 6_000;

/** What was reported, and the test that shows it, which was frozen before the repair began. */
export function reported({ title }: ReportedIssue, records: readonly TraceRecord[], startCommit: string): string {
  const at = startCommit.slice(0, 12);
  const said = `Reported as: ${tableCell(title, shownTitle)}`;
  const test = frozenTest(records);
  if (test === null) return `${said}\n\nRed at ${at}:`;
  const text = test.text.length <= shownTest ? test.text : `${test.text.slice(0, shownTest).trimEnd()}\n…`;
  const shown = `<details open><summary>The test that shows it</summary>\n\n${codeBlock(text)}\n\n</details>`;
  return `${said}\n\nReproduced at ${at} by ${codeSpan(test.path)}, which was frozen before the repair began:\n\n${shown}`;
}

/** The file that was frozen, and its tests that were red. */
export type FrozenTest = NonNullable<Extract<TraceRecord, { type: "reproduction" }>["test"]>;

/** The frozen test; null when no trace tells. */
export function frozenTest(records: readonly TraceRecord[]): FrozenTest | null {
  const found = records.findLast((record) => record.type === "reproduction" && record.accepted);
  return found?.type === "reproduction" ? found.test : null;
}
