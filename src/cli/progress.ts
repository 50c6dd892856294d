import type { TraceRecord } from "../trace/event.ts";

const crashShown = 30;

/** A record of the trace as a line for a person who waits; null when it is not worth one. */
export function progressLine(record: TraceRecord): string | null {
  switch (record.type) {
    case "checked-out":
      return [
        line("checkout", `${record.files} files; tests: ${record.command} (${record.runner})`),
        ...record.notes.map((note) => line("", note)),
      ].join("\n");
    case "stage-started":
      if (record.stage === "install") return line("install", "looking for the packages that the tests need");
      return record.stage === "proof" ? line("proof", "in a fresh container") : null;
    case "installed":
      return installedLines(record);
    case "stage-finished":
      return record.stage === "sandbox" ? line("sandbox", "ready", record.durationMs) : null;
    case "test-run":
      if (isRoutine(record)) return null;
      return line(record.purpose.startsWith("triage") ? "triage" : "", `${runText(record)}`, record.durationMs);
    case "crash":
      return crashLines(record.text);
    case "turn":
      return line(`#${record.iteration}`, turnText(record), record.durationMs);
    case "observation":
      return line("", `→ ${oneLine(record.shown, 100)}`, record.durationMs);
    case "nudge":
      return line("", record.text);
    case "verified":
      return line(
        "proof",
        record.accepted ? "holds, also when repeated" : `refused: ${oneLine(record.reasons[0] ?? "", 160)}`,
        record.durationMs,
      );
    default:
      return null;
  }
}

function installedLines({ ok, source, manager, files, bytes, notes, durationMs }: Installed): string {
  if (!ok) return line("install", `${manager}: failed`, durationMs);
  const how = source === "cached" ? "as installed before" : "installed";
  const what = `${manager}: ${how}, ${files} files, ${(bytes / 1_048_576).toFixed(1)} MiB`;
  return [line("install", what, durationMs), ...notes.map((note) => line("", note))].join("\n");
}

type Installed = Extract<TraceRecord, { type: "installed" }>;

/** The failure that the model starts from, cut to what fits on a screen. */
function crashLines(text: string): string {
  const lines = text.split("\n");
  const shown = lines.slice(0, crashShown).map((each) => `            ${each}`);
  if (lines.length > crashShown) shown.push(`            … ${lines.length - crashShown} more lines in the trace`);
  return [line("failure", "as the test run reported it"), ...shown].join("\n");
}

/** Runs that a reader has seen already, as an observation, or that only repeat what held before. */
function isRoutine(record: Extract<TraceRecord, { type: "test-run" }>): boolean {
  if (record.purpose.startsWith("iteration")) return true;
  return /^proof: (run|order) /.test(record.purpose) && record.failing.length === 0 && record.exitCode === 0;
}

function runText(record: Extract<TraceRecord, { type: "test-run" }>): string {
  const purpose = record.purpose.replace(/^(triage|proof:?) ?/, "");
  const ending = record.status === "exited" ? `exit status ${record.exitCode}` : record.status;
  const counts = record.passed === null ? ending : `${record.passed} passed, ${record.failing.length} failed`;
  const [first, ...more] = record.failing;
  const others = more.length === 0 ? "" : ` and ${more.length} more`;
  const names = first === undefined ? "" : `: ${oneLine(first, 90)}${others}`;
  return `${/^\d+$/.test(purpose) ? `run ${purpose}` : purpose}: ${counts}${names}`;
}

function turnText(record: Extract<TraceRecord, { type: "turn" }>): string {
  const calls = record.toolCalls.map((call) => `${call.name} ${oneLine(call.arguments, 90)}`).join("; ");
  return calls === "" ? `no tool call: ${oneLine(record.text, 90)}` : calls;
}

function line(label: string, text: string, durationMs?: number): string {
  const time = durationMs === undefined ? "" : `  (${seconds(durationMs)})`;
  return `  ${label.padEnd(9)} ${text}${time}`;
}

function seconds(ms: number): string {
  return ms < 10 ? `${ms.toFixed(1)} ms` : `${(ms / 1000).toFixed(2)} s`;
}

function oneLine(text: string, chars: number): string {
  const flat = text.replace(/\s+/g, " ").trim();
  return flat.length <= chars ? flat : `${flat.slice(0, chars - 1)}…`;
}
