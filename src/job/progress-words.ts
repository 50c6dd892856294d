import { codeSpan } from "../pull-request/neutralise.ts";
import { spentLine } from "../pull-request/spent-line.ts";
import type { TraceRecord } from "../trace/event.ts";
import type { Place } from "./start-point.ts";
import type { StatusText } from "./words.ts";

/** What is shown before anything is known. */
export function startingText({ kind }: Place): StatusText {
  return kind === "issue"
    ? { title: "Looking at the report", summary: "Reading the issue and the code." }
    : { title: "Looking at the failure", summary: "Reading what the failing checks say." };
}

/** How far a run is, for somebody who waits; null when a record changes nothing of that. */
export function progressText(record: TraceRecord): StatusText | null {
  switch (record.type) {
    case "checked-out":
      return { title: "Reproducing the failure", summary: `Running ${codeSpan(record.command, 200)} in a sandbox.` };
    case "crash":
      return {
        title: "Reproduced; looking for the cause",
        summary: "The failure was reproduced; no change was made yet.",
      };
    case "turn":
      return { title: `Iteration ${record.iteration}`, summary: iteration(record) };
    case "verified":
      if (record.accepted) return { title: "Proven", summary: "The repair is proven; it is being published." };
      return { title: "A repair was refused", summary: "The proof refused a repair; another one is looked for." };
    case "stage-started":
      if (record.stage === "reproduction") {
        return { title: "Reproducing what was reported", summary: "A test is looked for that shows it." };
      }
      if (record.stage !== "proof") return null;
      return { title: "Proving a repair", summary: "A repair is held against a fresh container." };
    default:
      return null;
  }
}

function iteration({ iteration, toolCalls, total }: Extract<TraceRecord, { type: "turn" }>): string {
  const names = toolCalls.map((call) => codeSpan(call.name, 40)).join(", ");
  const did = `Iteration ${iteration}: ${names === "" ? "no tool call" : names}.`;
  return total === undefined ? did : `${did}\n\n${spentLine(total)}`;
}
