/** What stands where a secret was. */
const redactedMarker = "[redacted]";

/**
 * Removes secrets from text that leaves the process: known shapes, and the given values in every spelling that logs and JSON give them.
 * Errs on the side of removing. Linear in the length of the text, and idempotent.
 */
export function redact(text: string, secrets: readonly string[] = []): string {
  let result = text;
  for (const spelling of secrets.flatMap(spellings).sort((a, b) => b.length - a.length)) {
    result = result.replaceAll(spelling, redactedMarker);
  }
  for (const rule of rules) result = result.replace(rule.pattern, rule.replacement);
  return result.replace(webToken, (run, parts: string | undefined) => (parts === undefined ? run : redactedMarker));
}

/** Shorter values would blot out ordinary words. */
const shortestSecret = 8;

function spellings(secret: string): string[] {
  const value = secret.trim();
  if (value.length < shortestSecret) return [];
  const escaped = JSON.stringify(value).slice(1, -1);
  return [...new Set([value, escaped, encodeURIComponent(value.toWellFormed()), base64(value), base64(secret)])];
}

function base64(text: string): string {
  return Buffer.from(text, "utf8").toString("base64").replace(/=+$/, "");
}

interface Rule {
  readonly pattern: RegExp;
  readonly replacement: string;
}

/**
 * A match of these either takes the whole run of its character class or fails within a fixed number of steps, so that no text makes
 * them quadratic. Prefixes carry no `\b` on the left, because in JSON a token follows the `n` of an escaped line end.
 */
const tokenPatterns: readonly RegExp[] = [
  // GitHub: https://github.blog/engineering/platform-security/behind-githubs-new-authentication-token-formats/
  /gh[oprsu]_[A-Za-z0-9_.-]{16,}/g,
  /github_pat_[A-Za-z0-9_]{20,}/g,
  // OpenAI, Anthropic, OpenRouter and their like; spinners and kebab-case words have no digit.
  /(?<=^|[^A-Za-z0-9]|\\[nrt])sk-(?=[A-Za-z_-]{0,64}[0-9])[A-Za-z0-9_-]{16,}/gm,
  // Slack: https://docs.slack.dev/authentication/tokens
  /xox[a-z]-[A-Za-z0-9-]{10,}/g,
  /xapp-[A-Za-z0-9-]{10,}/g,
  /hooks\.slack\.com\/(?:services|workflows)\/[A-Za-z0-9/_-]{10,}/g,
  /npm_[A-Za-z0-9]{30,}/g,
  // AWS key ids: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html#identifiers-unique-ids
  /(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16,}/g,
  // GitLab, Google, Hugging Face, PyPI, Stripe
  /glpat-[A-Za-z0-9_.-]{16,}/g,
  /AIza[A-Za-z0-9_-]{35,}/g,
  /hf_[A-Za-z0-9]{30,}/g,
  /pypi-[A-Za-z0-9_-]{50,}/g,
  /[rs]k_(?:live|test)_[A-Za-z0-9]{16,}/g,
];

const rules: readonly Rule[] = [
  ...tokenPatterns.map((pattern) => ({ pattern, replacement: redactedMarker })),
  {
    // The body stops at the first dash, so an unclosed key in a cut log is taken to the end of its base64.
    pattern:
      /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?:\s{0,4}[A-Za-z-]{1,30}: [^\n]{0,200}\n){0,5}[A-Za-z0-9+/=\s\\:,]*(?:-----END [A-Z0-9 ]{0,40}-----)?/g,
    replacement: redactedMarker,
  },
  {
    // With a scheme any value counts; without one only what looks like a token, so that `authorization: string` in code stays.
    pattern:
      /(\bauthorization["']?\s{0,8}:\s{0,8}["']?)(?:(?:basic|bearer|token|digest|negotiate|apikey)\s{1,8}[^\s"',;]+|[A-Za-z0-9._~+/=:-]{16,})/gi,
    replacement: `$1${redactedMarker}`,
  },
  {
    pattern: /\b(bearer\s{1,8})(?!auth|token|\[)[A-Za-z0-9._~+/=-]{12,}/gi,
    replacement: `$1${redactedMarker}`,
  },
  {
    pattern: /(:\/\/[^\s/@:"']{0,256}:)[^\s/"']{1,512}@/g,
    replacement: `$1${redactedMarker}@`,
  },
  { pattern: /(:\/\/)[A-Za-z0-9_.-]{20,512}@/g, replacement: `$1${redactedMarker}@` },
  {
    pattern:
      /(\baws_?(?:secret_?access_?key|session_?token)["']?\s{0,8}[:=]\s{0,8}["']?|\bsecret_?access_?key["']?\s{0,8}[:=]\s{0,8}["']?)[A-Za-z0-9/+=]{16,}/gi,
    replacement: `$1${redactedMarker}`,
  },
];

/** A JSON web token. Its dots are optional in the pattern, so that a run without them is walked over once. */
const webToken = /eyJ[A-Za-z0-9_-]{8,}((?:\.[A-Za-z0-9_-]{4,}){2,4})?/g;
