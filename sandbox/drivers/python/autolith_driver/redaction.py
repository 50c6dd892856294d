"""Decides which values must not leave the sandbox in a frame's locals."""

from math import log2
from re import compile as pattern

REDACTED = "<redacted>"
_WORDS = pattern(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_SECRET_NAME = pattern(
    r"token|secret|passw|passphrase|pwd|credential|cookie|(?:private|api|access|signing|encryption)_?key"
    r"|(?:^|_)auth(?:$|_)|authorization",
)
_COUNTS = {"count", "len", "length", "size", "index", "limit", "position", "pos", "line", "column", "type", "kind"}
_KNOWN_FORM = pattern(
    r"(?:gh[opsu]_|github_pat_|sk-|xox[abprs]-|AKIA|ASIA|glpat-|npm_)[A-Za-z0-9_-]{12,}"
    r"|eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----(?:.*?-----END [A-Z ]*PRIVATE KEY-----|.*)",
    16,
)
_CANDIDATE = pattern(r"[A-Za-z0-9+_=-]{24,}")
_HEX = pattern(r"[0-9a-fA-F_-]+\Z")
# Random base 62 or base 64 lies above both, long names in words (`UTF8StringEncodingHelperV2`) below the first.
_FEWEST_CHANGES = 0.38
_LOWEST_DISORDER = 0.78


def is_secret_name(name):
    """True for names such as `api_key` and `userToken`; a plain `key` is not one, nor is `author`."""
    words = _WORDS.findall(name)
    return bool(_SECRET_NAME.search("_".join(words).lower()) or _SECRET_NAME.search(name.lower()))


def hides_number(name):
    """True when a number under a secret name is itself the secret, and not a count of something."""
    words = _WORDS.findall(name)
    return not words or words[-1].lower() not in _COUNTS


def without_secrets(text):
    """The text with everything that looks like a credential replaced."""
    if len(text) < 16:
        return text
    text = _KNOWN_FORM.sub(REDACTED, text)
    return _CANDIDATE.sub(lambda match: REDACTED if _is_disordered(match[0]) else match[0], text)


def _is_disordered(text):
    """True for random letters and digits; hexadecimal digests are wanted when a comparison of them fails."""
    if _HEX.match(text):
        return False
    sample = text[:64]
    kinds = ["0" if "0" <= c <= "9" else "a" if "a" <= c <= "z" else "A" if "A" <= c <= "Z" else "-" for c in sample]
    if not {"0", "a", "A"}.issubset(kinds):
        return False
    changes = sum(left != right for left, right in zip(kinds, kinds[1:]))
    counts = [sample.count(character) for character in set(sample)]
    disorder = -sum(count / len(sample) * log2(count / len(sample)) for count in counts)
    return changes >= _FEWEST_CHANGES * len(sample) and disorder >= _LOWEST_DISORDER * log2(len(sample))
