import type { Finding, Patch } from "../checkout/patch.ts";
import { extractPatch } from "../checkout/patch-from-workspace.ts";
import { judgePatch } from "../checkout/patch-policy.ts";
import type { Proof } from "../verify/proof.ts";
import type { Verdict } from "../verify/prove.ts";
import type { Workspace } from "./tool/tool.ts";

/** How a claim of the model ended. */
export type Claim =
  | { readonly kind: "proven"; readonly patch: Patch; readonly verdict: Extract<Verdict, { kind: "accepted" }> }
  | { readonly kind: "refused"; readonly proof: Proof; readonly reasons: readonly string[] }
  | { readonly kind: "flaky"; readonly proof: Proof; readonly detail: string };

/** Proves a patch in a fresh container. */
export type ProvePatch = (patch: Patch, signal: AbortSignal) => Promise<Verdict>;

/** Takes the patch out of the workspace, holds it against the rules, and only then has it proven. */
export async function settleClaim(workspace: Workspace, provePatch: ProvePatch, signal: AbortSignal): Promise<Claim> {
  const { session, checkout } = workspace;
  const extraction = await extractPatch(session, checkout, [...workspace.created], signal);
  if (extraction.kind === "refused") return refusedFor(extraction.findings);
  const { patch } = extraction;
  if (patch.length === 0) return refusedFor([...workspace.refusedEdits, noChange]);
  const findings = await judgePatch(checkout, patch, workspace.policy);
  if (findings.some((finding) => finding.severity === "error")) return refusedFor(findings);
  const verdict = await provePatch(patch, signal);
  const proof = { ...verdict.proof, findings: [...findings, ...verdict.proof.findings] };
  switch (verdict.kind) {
    case "accepted":
      return { kind: "proven", patch, verdict: { ...verdict, proof } };
    case "refused":
      return { kind: "refused", proof, reasons: verdict.reasons };
    case "flaky":
      return { kind: "flaky", proof, detail: verdict.detail };
  }
}

const noChange: Finding = {
  rule: "no-change",
  file: "",
  line: 0,
  severity: "error",
  message: "no file that belongs to the patch was changed; the tests are as red as before",
};

/** Triage has seen the target red; nothing else was looked at, since the patch itself may not be used. */
function refusedFor(findings: readonly Finding[]): Claim {
  const errors = findings.filter((finding) => finding.severity === "error");
  return {
    kind: "refused",
    proof: { redBefore: true, greenAfter: false, redOnRevert: false, regressions: [], findings: unique(findings) },
    reasons: [...new Set(errors.map((finding) => `${placeOf(finding)}${finding.message} [${finding.rule}]`))],
  };
}

function placeOf(finding: Finding): string {
  if (finding.file === "") return "";
  return finding.line === 0 ? `${finding.file}: ` : `${finding.file}:${finding.line}: `;
}

function unique(findings: readonly Finding[]): Finding[] {
  const seen = new Map(findings.map((finding) => [JSON.stringify(finding), finding]));
  return [...seen.values()];
}
