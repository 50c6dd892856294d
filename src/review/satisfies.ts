import semver from "semver";
import type { Ecosystem } from "./ecosystem.ts";

/**
 * Whether a version lies in a range. Null when that cannot be said: a tag, an address, a form that is not understood. Nobody is
 * accused on such a ground.
 */
export function satisfies(version: string, range: string, ecosystem: Ecosystem): boolean | null {
  if (ecosystem === "npm") {
    const plain = range.replace(/^workspace:|^npm:(?:@[^/@]+\/)?[^@]+@/, "");
    return semver.validRange(plain) === null || semver.valid(version) === null
      ? null
      : semver.satisfies(version, plain, { includePrerelease: true });
  }
  const release = asSemver(version);
  if (release === null) return null;
  const clauses = range.split(",").map((clause) => satisfiesClause(release, clause.trim()));
  return clauses.includes(false) ? false : clauses.includes(null) ? null : true;
}

/** One clause of a Python range, as far as releases of three numbers can tell: https://peps.python.org/pep-0440/ */
function satisfiesClause(release: string, clause: string): boolean | null {
  if (clause === "" || clause === "*") return true;
  const [, operator = "", operand = ""] = /^(===?|~=|>=|<=|>|<|\^|~)?\s*(\d[\d.]*(?:\.\*)?)$/.exec(clause) ?? [];
  if (operand.endsWith(".*")) return semver.satisfies(release, operand.replace(/\*$/, "x"));
  const bound = asSemver(operand);
  if (bound === null) return null;
  if (operator === "~=") return semver.satisfies(release, `>=${bound} <${nextOfSeries(operand)}`);
  const form = operator === "===" || operator === "==" || operator === "" ? "=" : operator;
  return semver.satisfies(release, `${form}${bound}`);
}

/** The first release behind those that `~=` allows: `1.4.2` allows 1.4.x, `1.4` allows 1.x. */
function nextOfSeries(operand: string): string {
  const parts = operand.split(".").map(Number).slice(0, -1);
  const last = parts.length - 1;
  return [0, 1, 2]
    .map((index) => (index < last ? parts[index] : index === last ? (parts[index] ?? 0) + 1 : 0))
    .join(".");
}

/** Only whole releases: what Python calls pre, post and dev releases has another order than semver's. */
function asSemver(version: string): string | null {
  if (!/^\d+(\.\d+){0,2}$/.test(version)) return null;
  return semver.coerce(version)?.version ?? null;
}
