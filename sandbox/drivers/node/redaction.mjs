/** Stands in place of a value that must not leave the sandbox. The rules are those of `redaction.py`. */
export const redacted = "<redacted>";

const wordPattern = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g;
const secretName =
  /token|secret|passw|passphrase|pwd|credential|cookie|(?:private|api|access|signing|encryption)_?key|(?:^|_)auth(?:$|_)|authorization/;
const knownForms =
  /(?:gh[opsu]_|github_pat_|sk-|xox[abprs]-|AKIA|ASIA|glpat-|npm_)[A-Za-z0-9_-]{12,}|eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*|-----BEGIN [A-Z ]*PRIVATE KEY-----(?:.*?-----END [A-Z ]*PRIVATE KEY-----|.*)/gs;
const candidates = /[A-Za-z0-9+_=-]{24,}/g;
const hexadecimal = /^[0-9a-fA-F_-]+$/;
const fewestChanges = 0.38;
const lowestDisorder = 0.78;

/** True for names such as `api_key` and `userToken`; a plain `key` is not one, nor is `author`. */
export function isSecretName(name) {
  const words = (name.match(wordPattern) ?? []).join("_").toLowerCase();
  return secretName.test(words) || secretName.test(name.toLowerCase());
}

/** The text with everything that looks like a credential replaced. */
export function withoutSecrets(text) {
  if (text.length < 16) return text;
  const known = text.replace(knownForms, redacted);
  return known.replace(candidates, (match) => (isDisordered(match) ? redacted : match));
}

/** True for random letters and digits; hexadecimal digests are wanted when a comparison of them fails. */
function isDisordered(text) {
  if (hexadecimal.test(text)) return false;
  const sample = [...text.slice(0, 64)];
  const kinds = sample.map((c) => (/\d/.test(c) ? "0" : /[a-z]/.test(c) ? "a" : /[A-Z]/.test(c) ? "A" : "-"));
  if (!["0", "a", "A"].every((kind) => kinds.includes(kind))) return false;
  const changes = kinds.filter((kind, index) => index > 0 && kind !== kinds[index - 1]).length;
  const counts = [...new Set(sample)].map((character) => sample.filter((other) => other === character).length);
  const disorder = counts.reduce((sum, count) => sum - (count / sample.length) * Math.log2(count / sample.length), 0);
  return changes >= fewestChanges * sample.length && disorder >= lowestDisorder * Math.log2(sample.length);
}
