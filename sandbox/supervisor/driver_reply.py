"""Checks what a driver says. User code runs in the same process, so any of it may be forged: it is bounded advice."""

from collections import namedtuple
from operator import itemgetter

from frames import from_json

OUTCOMES = ("ready", "ok", "error", "interrupted", "exited")
_TEXT = 256 * 1024
_LIST = 1000
_DEPTH = 8


class BadReply(Exception):
    """A driver's frame that does not keep to the schema."""


class Reply(namedtuple("Reply", ("execution", "outcome", "value", "exception", "stale", "background"))):
    """What a driver states about one execution (number 0: that it is ready)."""

    __slots__ = ()


_NAMES = set(Reply._fields)
_NONE = []
_in_order = itemgetter(*Reply._fields)


def decode(body):
    """A Reply from a frame's bytes. Raises BadReply."""
    try:
        frame = from_json(body)
    except (ValueError, RecursionError):
        raise BadReply("not JSON") from None
    if not isinstance(frame, dict) or frame.keys() != _NAMES:
        raise BadReply("wrong fields")
    execution, outcome, value, exception, stale, background = fields = _in_order(frame)
    if type(execution) is not int or outcome not in OUTCOMES:
        raise BadReply("execution or outcome")
    if value is not None and not _is_text(value):
        raise BadReply("value")
    if not (stale == background == _NONE or _is_text_list(stale) and _is_text_list(background)):
        raise BadReply("stale or background")
    if exception is not None:
        _check_exception(exception, _DEPTH)
    return Reply._make(fields)


def _check_exception(exception, depth):
    _require(depth > 0 and isinstance(exception, dict), "exception")
    _require(set(exception) - {"cause"} == {"type", "message", "frames"}, "exception's fields")
    _require(_is_text(exception["type"]) and _is_text(exception["message"]), "exception's type or message")
    _require(isinstance(exception["frames"], list) and len(exception["frames"]) <= _LIST, "frames")
    for frame in exception["frames"]:
        _require(isinstance(frame, dict) and set(frame) == {"file", "line", "function", "source", "locals"}, "frame")
        _require(all(_is_text(frame[name]) for name in ("file", "function", "source")), "frame's texts")
        _require(type(frame["line"]) is int and 0 <= frame["line"] < 2**31, "frame's line")
        variables = frame["locals"]
        _require(isinstance(variables, dict) and all(map(_is_text, variables.values())), "frame's locals")
    if exception.get("cause") is not None:
        _check_exception(exception["cause"], depth - 1)


def _require(condition, what):
    if not condition:
        raise BadReply(what)


def _is_text(value):
    return isinstance(value, str) and len(value) <= _TEXT


def _is_text_list(value):
    return isinstance(value, list) and len(value) <= _LIST and all(map(_is_text, value))
