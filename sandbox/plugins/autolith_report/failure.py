"""What an exception shows: type, message, frames with their locals, operands of an assertion."""

import ast
import linecache
import os
import textwrap

from .values import describe, redact, shorten

MAX_FRAMES = 40
MAX_CAUSES = 3
MAX_LOCALS = 30
LOCALS_CHARS = 24_000
MESSAGE_CHARS = 4_000
OPERAND_CHARS = 4_000
_INTERNAL = ("/_pytest/", "/pluggy/", "/site-packages/pytest/", "<frozen ", "/importlib/__init__.py")
UNITTEST = os.path.join(os.path.dirname(os.__file__), "unittest", "")
_OUTSIDE = ("/site-packages/", "/dist-packages/", "/node_modules/")
# Names of the two operands in the assertion functions of unittest, numpy.testing, pandas.testing and their like.
_OPERANDS = (
    ("first", "second"),
    ("actual", "desired"),
    ("actual", "expected"),
    ("left", "right"),
    ("member", "container"),
    ("expr1", "expr2"),
    ("d1", "d2"),
    ("list1", "list2"),
    ("tuple1", "tuple2"),
    ("set1", "set2"),
    ("seq1", "seq2"),
    ("text", "expected_regex"),
    ("obj", "cls"),
    ("a", "b"),
)


class FailureReader:
    """Reads exceptions; keeps private references, because tests replace `linecache.getline` and the like."""

    def __init__(self, workspace):
        self._workspace = os.path.join(os.path.realpath(workspace), "")
        self._getline, self._realpath = linecache.getline, os.path.realpath

    def exception(self, error, traceback=None, seen=()):
        """The exception as a record: `{ type, message, frames, cause? }`, frames outermost first."""
        frames = self._frames(traceback if traceback is not None else error.__traceback__)
        if isinstance(error, SyntaxError) and error.filename:
            source = redact((error.text or "").strip()[:300])
            frames.append(_frame(error.filename, error.lineno or 0, "<module>", source, {}))
        record = {
            "type": type(error).__name__,
            "message": shorten(redact(_message(error)), MESSAGE_CHARS),
            "frames": frames,
        }
        cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
        if cause is not None and cause is not error and len(seen) < MAX_CAUSES and id(cause) not in seen:
            record["cause"] = self.exception(cause, None, (*seen, id(error)))
        return record

    def _frames(self, traceback):
        entries = []
        while traceback is not None:
            if not _is_internal(traceback.tb_frame):
                entries.append(traceback)
            traceback = traceback.tb_next
        if len(entries) > MAX_FRAMES:
            entries = entries[: MAX_FRAMES // 4] + entries[-(MAX_FRAMES * 3 // 4):]
        left, frames = LOCALS_CHARS, []
        for entry in reversed(entries):
            frame = self._frame(entry, left)
            left -= sum(map(len, frame["locals"].values()))
            frames.append(frame)
        return frames[::-1]

    def _frame(self, entry, left):
        code, line = entry.tb_frame.f_code, entry.tb_lineno or 0
        own = self.is_own(code.co_filename)
        file = self._realpath(code.co_filename) if own else code.co_filename
        source = redact(self._getline(code.co_filename, line).strip()[:300])
        return _frame(file, line, code.co_name, source, _locals(entry.tb_frame, left) if own and left > 0 else {})

    def is_own(self, file):
        """True for files of the workspace that are not installed packages."""
        path = "" if file.startswith("<") else self._realpath(file)
        return path.startswith(self._workspace) and not any(part in path for part in _OUTSIDE)

    def operands_in(self, traceback):
        """Operands that an assertion function such as `assertEqual` was called with; the outermost such call counts."""
        caller = None
        while traceback is not None:
            frame = traceback.tb_frame
            name, names = frame.f_code.co_name, frame.f_locals
            if name.lstrip("_").startswith("assert") and not self.is_own(frame.f_code.co_filename):
                for pair in _OPERANDS:
                    if pair[0] in names and pair[1] in names:
                        produced, expected = pair[::-1] if self._expects_first(caller, name) else pair
                        return operands(name, names[produced], names[expected])
                if "expr" in names:
                    return operands(name, names["expr"], "False" not in name)
            caller, traceback = traceback, traceback.tb_next
        return None

    def _expects_first(self, caller, name):
        """True for a call `assertEqual(3, f())`: the literal is what was expected."""
        if caller is None or not hasattr(caller.tb_frame.f_code, "co_positions") or not name.endswith("Equal"):
            return False
        code = caller.tb_frame.f_code
        first, last, start, end = list(code.co_positions())[caller.tb_lasti // 2]
        if None in (first, last, start, end) or last - first > 50:
            return False
        lines = [self._getline(code.co_filename, line).encode() for line in range(first, last + 1)]
        lines[-1] = lines[-1][:end]
        lines[0] = lines[0][start:]
        return expects_first(b"".join(lines).decode(errors="replace"))


def operands(operator, produced, expected):
    """The record of an assertion."""
    return {
        "operator": operator,
        "produced": describe(produced, OPERAND_CHARS),
        "expected": describe(expected, OPERAND_CHARS),
    }


def expects_left(statement):
    """True for `assert 3 == f()`: the literal, on the left, is what was expected."""
    try:
        test = ast.parse(textwrap.dedent(statement)).body[0].test
        return _is_literal(test.left) and not _is_literal(test.comparators[0])
    except Exception:
        return False


def expects_first(call):
    """True for a call whose first argument is a literal and whose second one is none."""
    try:
        first, second, *_ = ast.parse(call, mode="eval").body.args
        return _is_literal(first) and not _is_literal(second)
    except Exception:
        return False


def _is_internal(frame):
    """True for frames of the test runner; `__unittest` is how unittest and its like mark most of their own."""
    file = frame.f_code.co_filename
    return "__unittest" in frame.f_globals or file.startswith(UNITTEST) or any(part in file for part in _INTERNAL)


def _frame(file, line, function, source, variables):
    return {"file": file, "line": line, "function": function, "source": source, "locals": variables}


def _is_literal(node):
    try:
        ast.literal_eval(node)
        return True
    except Exception:
        return False


def _message(error):
    try:
        text = str(error)
        parts = getattr(error, "exceptions", None)
        if isinstance(parts, (list, tuple)):
            text += "".join("\n- %s: %s" % (type(part).__name__, part) for part in parts[:10])
        return text
    except BaseException as problem:  # noqa: B036 - a test's outcome must not depend on how its exception prints
        return "<not printable: %s>" % type(problem).__name__


def _locals(frame, left):
    at_module_level = frame.f_code.co_name == "<module>"
    texts = {}
    for name, value in list(frame.f_locals.items()):
        if not isinstance(name, str) or name.startswith(("@", "__")) or (at_module_level and _is_definition(value)):
            continue
        if len(texts) == MAX_LOCALS or left <= 0:
            break
        texts[name] = describe(value, min(1000, left), name)
        left -= len(texts[name])
    return texts


def _is_definition(value):
    return isinstance(value, type) or callable(value) or type(value).__name__ == "module"
