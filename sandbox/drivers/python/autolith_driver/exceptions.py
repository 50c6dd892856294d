"""Turns an exception into a report: type, message, frames with their locals, and what it came from."""


from types import ModuleType

from .guard import TimeBox
from .representation import Representation
from .sources import SourceLines

_MESSAGE = 4096
_FIRST_FRAMES = 12
_LAST_FRAMES = 28
_VARIABLES = 40
_LOCALS_BUDGET = 120_000
_CHAIN = 5
_GROUP_ITEMS = 10
_GROUP_DEPTH = 3


class ExceptionReporter:
    """Reports exceptions that left user code."""

    def __init__(self, own_folder):
        self._own_folder = own_folder

    def report(self, error):
        """The report as the protocol's `exception`, with at most `_CHAIN` causes."""
        return _Report(self._own_folder).of(error, _CHAIN, set())


class _Report:
    def __init__(self, own_folder):
        self._own_folder = own_folder
        self._box = TimeBox(0.1, 0.5)
        self._values = Representation(4096, 3, 20, redact=True, box=self._box)
        self._sources = SourceLines()
        self._budget = _LOCALS_BUDGET

    def of(self, error, depth, seen):
        seen.add(id(error))
        report = {
            "type": _type_name(type(error)),
            "message": self._message(error),
            "frames": self._frames(error.__traceback__) + self._syntax_frame(error),
        }
        cause = _cause(error)
        if cause is not None and depth > 1 and id(cause) not in seen:
            report["cause"] = self.of(cause, depth - 1, seen)
        return report

    def _message(self, error):
        text = self._text(error)
        notes = getattr(error, "__notes__", None)
        if type(notes) is list:
            text = "\n".join([text, *(note for note in notes[:10] if type(note) is str)])
        if isinstance(error, BaseExceptionGroup):
            text += "".join(self._members(error, _GROUP_DEPTH, "\n"))
        return text if len(text) <= _MESSAGE else text[: _MESSAGE - 3] + "..."

    def _text(self, error):
        try:
            text = self._box.call(str, error)
            return text if type(text) is str else str.__str__(text)
        except BaseException as failure:
            return f"<str() raised {type(failure).__name__}>"

    def _members(self, group, depth, indent):
        indent += "  "
        for member in group.exceptions[:_GROUP_ITEMS]:
            yield f"{indent}{_type_name(type(member))}: {self._text(member)[:500]}"
            if isinstance(member, BaseExceptionGroup) and depth > 1:
                yield from self._members(member, depth - 1, indent)
        if len(group.exceptions) > _GROUP_ITEMS:
            yield f"{indent}... {len(group.exceptions) - _GROUP_ITEMS} more"

    def _frames(self, traceback):
        entries = []
        while traceback is not None:
            if not traceback.tb_frame.f_code.co_filename.startswith(self._own_folder):
                entries.append(traceback)
            traceback = traceback.tb_next
        left_out = len(entries) - _FIRST_FRAMES - _LAST_FRAMES
        last = entries[-_LAST_FRAMES:] if left_out > 0 else entries
        # The innermost frames matter most, so they get their share of the locals' budget first.
        frames = [self._frame(entry) for entry in reversed(last)][::-1]
        if left_out > 0:
            first = [self._frame(entry) for entry in entries[:_FIRST_FRAMES]]
            gap = {"file": "...", "line": 0, "function": f"<{left_out} frames left out>", "source": "", "locals": {}}
            frames = [*first, gap, *frames]
        return frames

    def _frame(self, entry):
        frame, code = entry.tb_frame, entry.tb_frame.f_code
        line = entry.tb_lineno or code.co_firstlineno
        return {
            "file": code.co_filename[:1000],
            "line": line,
            "function": code.co_qualname if hasattr(code, "co_qualname") else code.co_name,
            "source": self._sources.line(code.co_filename, line),
            "locals": {} if frame.f_locals is frame.f_globals else self._locals(frame),
        }

    def _locals(self, frame):
        shown = {}
        try:
            for name, value in list(frame.f_locals.items())[:_VARIABLES]:
                if name.startswith("__") or type(value) is ModuleType:
                    continue
                if self._budget <= 0:
                    break
                shown[name] = self._values.of(value, name)
                self._budget -= len(shown[name]) + len(name)
        except BaseException as failure:
            shown["..."] = f"<{type(failure).__name__} while reading>"
        return shown

    def _syntax_frame(self, error):
        """A syntax error has no frame of its own: its place is told like one."""
        if not isinstance(error, SyntaxError) or type(error.filename) is not str or type(error.lineno) is not int:
            return []
        source = error.text.strip()[:500] if type(error.text) is str else ""
        line = max(0, error.lineno)
        return [{"file": error.filename[:1000], "line": line, "function": "<module>", "source": source, "locals": {}}]


def _type_name(kind):
    module = kind.__module__
    if type(module) is not str or module in ("builtins", "__main__"):
        return kind.__qualname__[:500]
    return f"{module}.{kind.__qualname__}"[:500]


def _cause(error):
    """What an exception was raised from; for a group without one, its first member."""
    if error.__cause__ is not None:
        return error.__cause__
    if error.__context__ is not None and not error.__suppress_context__:
        return error.__context__
    if isinstance(error, BaseExceptionGroup) and error.exceptions:
        return error.exceptions[0]
    return None
