"""Values as bounded, redacted text.

Everything here may meet hostile objects: a `__repr__` that raises, recurses, lies or never was meant to be called. So
containers of the builtin kinds are walked by hand within a budget, only other objects are asked for their own `repr`,
and no error leaves this file.
"""

import dataclasses
import re
from collections import OrderedDict, defaultdict, deque

MAX_ITEMS = 20
MAX_DEPTH = 4
MAX_INT_BITS = 4000
REDACTED = "[redacted]"

_SECRET_NAME = re.compile(
    r"passw(or)?d|passphrase|secret|credential|cookie|authorization|bearer"
    r"|(api|access|private|auth|signing|encryption)_?key|(access|auth|refresh|api|session|id|bot|csrf)_?token",
    re.IGNORECASE,
)
# A name of a parser's variable as often as of a secret: only values that look made by a machine are hidden under it.
_DOUBTFUL_NAME = re.compile(r"(^|[_.-])(token|key|dsn|auth)s?$|[a-z](Token|Key)$|^pwd$|_pwd$", re.IGNORECASE)
_MACHINE_MADE = re.compile(r"(?=.*[0-9])(?=.*[A-Za-z])[^\s]{8,}")
_SECRET_VALUE = re.compile(
    r"gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|glpat-[\w-]{20,}|xox[abprs]-[\w-]{10,}|AKIA[0-9A-Z]{16}"
    # Words joined by dashes end in `sk` at times, but hold no digit.
    r"|(?<![A-Za-z0-9])sk-(?=[\w-]{0,64}[0-9])[\w-]{20,}"
    r"|AIza[\w-]{35}|npm_[A-Za-z0-9]{36}|eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]+"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)|(?<=://)[^/\s:@]+:[^/\s@]+(?=@)"
)
_repr = repr
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
_WALKED = {
    list: ("[", "]"),
    tuple: ("(", ")"),
    set: ("{", "}"),
    frozenset: ("frozenset({", "})"),
    deque: ("deque([", "])"),
}
_TEXT_REPRS = (str.__repr__, bytes.__repr__, bytearray.__repr__)
_DICTS = (dict, OrderedDict, defaultdict)


def redact(text):
    """Text without the secrets that can be told by their form."""
    return _SECRET_VALUE.sub(REDACTED, text)


def describe(value, limit=1000, name=""):
    """The value as text of at most about `limit` characters; hidden when its name or its form looks secret."""
    try:
        return shorten(redact(_Walker(limit).text(value, 0, name)), limit)
    except BaseException as error:  # noqa: B036 - a test's outcome must not depend on how its variables print
        return "<%s, not printable: %s>" % (type(value).__name__, type(error).__name__)


def shorten(text, limit):
    """Head and tail of a text that is longer than `limit` characters."""
    if len(text) <= limit:
        return text
    head = limit * 2 // 3
    return "%s…[%d characters left out]…%s" % (text[:head], len(text) - limit, text[len(text) - (limit - head):])


class _Walker:
    """Walks one value; once `_left` characters have been produced, everything else becomes `…`."""

    def __init__(self, limit):
        self._limit = limit
        self._left = limit * 2
        self._path = set()

    def text(self, value, depth, name=""):
        if self._left <= 0:
            return "…"
        if _hides(name, value):
            return REDACTED
        text = self._plain(value, depth)
        self._left -= len(text)
        return text

    def _plain(self, value, depth):
        kind = type(value)
        if isinstance(value, (str, bytes, bytearray)) and kind.__repr__ in _TEXT_REPRS:
            return kind.__repr__(value) if len(value) <= self._limit else kind.__repr__(value[: self._limit]) + "…"
        if kind is int and value.bit_length() > MAX_INT_BITS:
            return "<int of %d bits>" % value.bit_length()
        if id(value) in self._path:
            return "<the same %s again>" % kind.__name__
        children = self._children(value, kind)
        if children is None:
            return _ADDRESS.sub("", _repr(value))
        if depth >= MAX_DEPTH:
            return "%s…%s" % (children[0], children[2])
        self._path.add(id(value))
        try:
            return self._join(children, depth)
        finally:
            self._path.discard(id(value))

    def _children(self, value, kind):
        """`(open, [(prefix, name, child)], close, total)` for what is walked by hand, else None."""
        for base, (opening, closing) in _WALKED.items():
            if isinstance(value, base) and kind.__repr__ is base.__repr__:
                items = [("", "", item) for item, _ in zip(value, range(MAX_ITEMS))]
                closing = "," + closing if base is tuple and len(value) == 1 else closing
                return opening, items, closing, len(value)
        for base in _DICTS:
            if isinstance(value, base) and kind.__repr__ is base.__repr__:
                pairs = [(k, v) for (k, v), _ in zip(dict.items(value), range(MAX_ITEMS))]
                items = [(self._key(k) + ": ", k if isinstance(k, str) else "", v) for k, v in pairs]
                return "{", items, "}", len(value)
        fields = _fields(value, kind)
        if fields is None:
            return None
        items = [(key + "=", key, fields[key]) for key, _ in zip(fields, range(MAX_ITEMS))]
        return kind.__name__ + "(", items, ")", len(fields)

    def _key(self, key):
        return self._plain(key, MAX_DEPTH)

    def _join(self, children, depth):
        opening, items, closing, total = children
        texts = [prefix + self.text(child, depth + 1, name) for prefix, name, child in items]
        if opening in ("{", "frozenset({") and not any(prefix for prefix, _, _ in items):
            texts.sort()
        if total > len(items):
            texts.append("… %d in all" % total)
        return opening + ", ".join(texts) + closing


def _fields(value, kind):
    """Attributes of an object that prints as its address only, or of a dataclass with the generated `repr`."""
    if isinstance(value, type):
        return None
    params = getattr(kind, "__dataclass_params__", None)
    if params is not None and params.repr:
        return {field.name: getattr(value, field.name, None) for field in dataclasses.fields(kind) if field.repr}
    if kind.__repr__ is object.__repr__ and isinstance(getattr(value, "__dict__", None), dict):
        return {str(key): item for key, item in value.__dict__.items()}
    return None


def _hides(name, value):
    if not name or value is None or isinstance(value, (bool, int, float)) or callable(value):
        return False
    if isinstance(value, (str, bytes, list, tuple, dict, set)) and len(value) == 0:
        return False
    if _SECRET_NAME.search(name):
        return True
    return bool(_DOUBTFUL_NAME.search(name)) and isinstance(value, str) and bool(_MACHINE_MADE.fullmatch(value))
