import type { FixResult } from "../job/outcome.ts";
import type { Proof } from "../verify/proof.ts";

/** How a repair ended, for a person. */
export function fixText(result: FixResult, tracePath: string): string {
  const { outcome, proof, spend, durationMs } = result;
  const lines = ["", `${outcome.kind}: ${outcome.reason}`];
  if (outcome.kind === "fixed") lines.push(`cause:  ${outcome.repair.rootCause}`, `change: ${outcome.repair.summary}`);
  if (proof !== null) lines.push(...proofLines(proof));
  const tokens = `${spend.inputTokens} tokens in, ${spend.outputTokens} out`;
  const cost = spend.costUsd === null ? "price unknown" : `$${spend.costUsd.toFixed(4)}`;
  lines.push(`spent:  ${spend.iterations} iterations, ${tokens} (${cost}), ${(durationMs / 1000).toFixed(1)} s`);
  lines.push(`trace:  ${tracePath}`);
  return lines.join("\n");
}

function proofLines(proof: Proof): string[] {
  const answer = (value: boolean) => (value ? "yes" : "no");
  const lines = [
    `proof:  red without the patch: ${answer(proof.redBefore)} · green with it: ${answer(proof.greenAfter)} · red when taken back: ${answer(proof.redOnRevert)} · broken tests: ${proof.regressions.length}`,
  ];
  for (const finding of proof.findings) {
    const place = finding.file === "" ? "" : `${finding.file}${finding.line === 0 ? "" : `:${finding.line}`} `;
    lines.push(`        ${place}[${finding.rule}] ${finding.message}`);
  }
  return lines;
}
