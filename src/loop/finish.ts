import type { Finding, Patch } from "../checkout/patch.ts";
import { extractPatch } from "../checkout/patch-from-workspace.ts";
import type { Trace } from "../trace/recorder.ts";
import type { Proof } from "../verify/proof.ts";
import type { Verdict } from "../verify/prove.ts";
import type { Claims } from "./loop.ts";
import type { Settle, Settled } from "./settle.ts";
import type { Workspace } from "./tool/tool.ts";

/** A patch that was proven. */
export interface ProvenPatch {
  readonly patch: Patch;
  readonly verdict: Extract<Verdict, { kind: "accepted" }>;
}

export interface ClaimedRepair {
  readonly workspace: Workspace;
  /** Proves a patch in a fresh container. */
  readonly provePatch: (patch: Patch, signal: AbortSignal) => Promise<Verdict>;
  readonly claims: Claims;
  readonly trace: Trace;
}

/** Takes the patch out of the workspace, holds it against the rules, and only then has it proven; takes down what came of it. */
export function settleRepair(repair: ClaimedRepair): Settle<ProvenPatch> {
  const { claims, trace } = repair;
  return async (signal) => {
    const start = performance.now();
    const claim = await settleClaim(repair, signal);
    claims.proof = claim.kind === "proven" ? claim.verdict.proof : claim.proof;
    trace.record({
      type: "verified",
      accepted: claim.kind === "proven",
      reasons: claim.kind === "refused" ? [...claim.reasons] : claim.kind === "flaky" ? [claim.detail] : [],
      proof: plainProof(claims.proof),
      tree: claim.kind === "proven" ? claim.verdict.tree : null,
      durationMs: performance.now() - start,
    });
    return settledAs(claim);
  };
}

/** How a claim of the model ended. */
type Claim =
  | ({ readonly kind: "proven" } & ProvenPatch)
  | { readonly kind: "refused"; readonly proof: Proof; readonly reasons: readonly string[] }
  | { readonly kind: "flaky"; readonly proof: Proof; readonly detail: string };

async function settleClaim({ workspace, provePatch }: ClaimedRepair, signal: AbortSignal): Promise<Claim> {
  const { session, checkout } = workspace;
  const extraction = await extractPatch(session, checkout, [...workspace.created], signal);
  if (extraction.kind === "refused") return refusedFor(extraction.findings);
  const { patch } = extraction;
  if (patch.length === 0) return refusedFor([...workspace.refusedEdits, noChange]);
  const findings = await workspace.judge(patch);
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

function settledAs(claim: Claim): Settled<ProvenPatch> {
  switch (claim.kind) {
    case "proven":
      return { kind: "held", held: { patch: claim.patch, verdict: claim.verdict }, told: claim.kind };
    case "refused":
      return { kind: "refused", reasons: claim.reasons };
    case "flaky":
      return { kind: "flaky", detail: claim.detail };
  }
}

function plainProof(proof: Proof) {
  return { ...proof, regressions: [...proof.regressions], findings: proof.findings.map((finding) => ({ ...finding })) };
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
    reasons: reasonsOf(errors),
  };
}

/** Findings as reasons for the model and for people. */
export function reasonsOf(findings: readonly Finding[]): string[] {
  return [...new Set(findings.map((finding) => `${placeOf(finding)}${finding.message} [${finding.rule}]`))];
}

function placeOf(finding: Finding): string {
  if (finding.file === "") return "";
  return finding.line === 0 ? `${finding.file}: ` : `${finding.file}:${finding.line}: `;
}

function unique(findings: readonly Finding[]): Finding[] {
  const seen = new Map(findings.map((finding) => [JSON.stringify(finding), finding]));
  return [...seen.values()];
}
