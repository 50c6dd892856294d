"""Bounded text of any value: little time, little memory, and nothing that user code raises gets out."""

from itertools import islice
from types import BuiltinFunctionType, FunctionType, ModuleType

from .guard import TimeBox
from .redaction import REDACTED, hides_number, is_secret_name, without_secrets

_LONGEST_INTEGER_BITS = 4096
_ATTRIBUTES = 12
_NUMBERS = (int, float, complex)
_ARRAY_PACKAGES = {"numpy", "pandas", "torch", "polars", "xarray", "jax", "tensorflow", "scipy"}
_SMALL_ARRAY = 64
_object_repr = object.__repr__
_object_getattribute = object.__getattribute__
_BRACKETS = {list: "[]", tuple: "()", set: "{}", frozenset: ("frozenset({", "})"), dict: "{}"}


class Full(Exception):
    """No room is left."""


class Representation:
    """Writes values as text of at most `size` characters each, `depth` levels deep and `items` wide."""

    def __init__(self, size, depth, items, redact, box=None):
        self.size = size
        self.depth = depth
        self.items = items
        self.redact = redact
        self.box = box or TimeBox(0.1, 0.5)

    def of(self, value, name=""):
        """The text of a value; `name` is what it is stored under."""
        secret = self.redact and is_secret_name(name)
        if secret and type(value) in _NUMBERS and hides_number(name):
            return REDACTED
        writer = _Writer(self, secret)
        try:
            writer.write(value, self.depth)
        except Full:
            pass
        except RecursionError:
            writer.pieces.append("...")
        text = "".join(writer.pieces)
        if len(text) > self.size:
            text = text[: self.size - 3] + "..."
        return without_secrets(text) if self.redact else text


class _Writer:
    def __init__(self, settings, secret):
        self._settings = settings
        self._secret = secret
        self._left = settings.size
        self._above = []
        self.pieces = []

    def write(self, value, depth):
        kind = type(value)
        if value is None or kind is bool:
            self._put(repr(value))
        elif kind is int:
            bits = value.bit_length()
            self._put(repr(value) if bits <= _LONGEST_INTEGER_BITS else f"<int of {bits} bits>")
        elif kind is float or kind is complex:
            self._put(repr(value))
        elif self._secret and kind not in _BRACKETS:
            self._put(REDACTED)
        elif kind is str or kind is bytes or kind is bytearray:
            self._put(_quoted(value, self._left))
        elif kind in _BRACKETS:
            self._container(value, kind, depth)
        elif kind in (ModuleType, FunctionType, BuiltinFunctionType) or issubclass(kind, type):
            self._put(_named(value, kind))
        else:
            self._object(value, kind, depth)

    def _put(self, text):
        self.pieces.append(text)
        self._left -= len(text)
        if self._left < 0:
            raise Full

    def _container(self, value, kind, depth):
        opening, closing = _BRACKETS[kind]
        if not value:
            self._put("set()" if kind is set else opening + closing)
        elif depth <= 0 or any(value is outer for outer in self._above):
            self._put(f"{opening}...{closing}")
        else:
            self._above.append(value)
            self._put(opening)
            self._items_of(value, kind, depth - 1)
            self._put(",)" if kind is tuple and len(value) == 1 else closing)
            self._above.pop()

    def _items_of(self, value, kind, depth):
        # A copy of the few items that are shown: a thread may change the container at any moment.
        shown = list(islice(value.items() if kind is dict else value, self._settings.items))
        for index, item in enumerate(shown):
            if index:
                self._put(", ")
            if kind is dict:
                self._pair(*item, depth)
            else:
                self.write(item, depth)
        if len(value) > len(shown):
            self._put(f", ... {len(value) - len(shown)} more")

    def _pair(self, key, item, depth):
        outer, self._secret = self._secret, False
        self.write(key, depth)
        self._secret = outer
        self._put(": ")
        self._named_value(key if type(key) is str else "", item, depth)

    def _named_value(self, name, item, depth):
        outer = self._secret
        if self._settings.redact and is_secret_name(name):
            if type(item) in _NUMBERS and hides_number(name):
                self._put(REDACTED)
                return
            self._secret = True
        try:
            self.write(item, depth)
        finally:
            self._secret = outer

    def _object(self, value, kind, depth):
        try:
            if _is_array(kind):
                self._array(value, kind)
                return
            if kind.__repr__ is _object_repr:
                self._attributes(value, kind, depth)
                return
            text = self._settings.box.call(repr, value)
            self._put(text[: self._settings.size + 1] if type(text) is str else _nameless(kind))
        except Full:
            raise
        except RecursionError:
            self._put(_nameless(kind, "repr() recursed too deep"))
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                self._settings.box.use_up()
            self._put(_nameless(kind, f"repr() raised {type(error).__name__}"))

    def _array(self, value, kind):
        shape = self._settings.box.call(getattr, value, "shape", None)
        size = 1
        for length in shape if type(shape) is tuple else ():
            size *= length if type(length) is int else _SMALL_ARRAY
        if type(shape) is not tuple or (size <= _SMALL_ARRAY and kind.__name__ in ("ndarray", "Tensor", "Series")):
            self._put(self._settings.box.call(repr, value))
            return
        dtype = self._settings.box.call(lambda: str(getattr(value, "dtype", "")))
        self._put(f"<{kind.__name__} shape={shape!r}" + (f" dtype={dtype}>" if dtype else ">"))

    def _attributes(self, value, kind, depth):
        """An object without a `__repr__` of its own is shown by its attributes, read without running any code of it."""
        try:
            variables = _object_getattribute(value, "__dict__")
        except AttributeError:
            variables = None
        if type(variables) is not dict or not variables or depth <= 0 or any(value is outer for outer in self._above):
            self._put(_nameless(kind))
            return
        self._above.append(value)
        self._put(f"<{kind.__qualname__}")
        for name, item in list(islice(variables.items(), _ATTRIBUTES)):
            self._put(f" {name}=" if type(name) is str else " ?=")
            self._named_value(name if type(name) is str else "", item, depth - 1)
        self._put(" ...>" if len(variables) > _ATTRIBUTES else ">")
        self._above.pop()


def _is_array(kind):
    module = kind.__module__
    return type(module) is str and module.partition(".")[0] in _ARRAY_PACKAGES


def _quoted(value, most):
    """The literal of a text or of bytes, cut before it is made when it is far too long."""
    if len(value) <= most:
        return repr(value)
    noun = "characters" if type(value) is str else "bytes"
    return f"{value[:most // 2]!r}... {len(value) - most // 2} more {noun}"


def _named(value, kind):
    name = getattr(value, "__qualname__", None) or getattr(value, "__name__", "?")
    noun = "module" if kind is ModuleType else "class" if issubclass(kind, type) else "function"
    return f"<{noun} {name}>"


def _nameless(kind, remark=""):
    return f"<{kind.__qualname__} object{': ' + remark if remark else ''}>"
