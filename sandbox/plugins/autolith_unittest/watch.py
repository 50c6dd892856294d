"""Sees what a result is told about its tests."""

import re
import time

from autolith_report.failure import UNITTEST
from autolith_report.guarded import guarded

from .capture import Capture
from .fold import Fold
from .ids import is_failed

_FIXTURE = re.compile(r"(setUp|tearDown)(?:Class|Module) \((.*)\)")


class Watch:
    """Watches one result object, of whatever class, by taking the place of its methods; each is called all the same."""

    def __init__(self, session, result):
        self._records, self._reader, self._ids = session.records, session.reader, session.ids
        self._result = result
        self._capture = Capture()
        self._tests, self._open, self._done = [], {}, {}
        self._now = time.perf_counter
        self._seen = {
            "startTest": self._begins,
            "stopTest": self._ends,
            "addSuccess": lambda test: self._add(test, "passed"),
            "addFailure": lambda test, error: self._add_error(test, error),
            "addError": lambda test, error: self._add_error(test, error),
            "addSkip": lambda test, reason: self._add(test, "skipped", str(reason)),
            "addExpectedFailure": lambda test, error: self._add(test, "xfailed"),
            "addUnexpectedSuccess": lambda test: self._add(test, "failed", "unexpected success"),
            "addSubTest": self._sub_test,
        }

    def attach(self):
        """Takes the place of the methods that the result has. One that keeps what is printed itself shows it, too."""
        if not guarded(getattr, self._result, "buffer", False):
            self._capture.attach()
        for name, seen in self._seen.items():
            original = getattr(self._result, name, None)
            if callable(original):
                guarded(setattr, self._result, name, self._both(seen, original))

    def detach(self):
        """Gives the methods back."""
        self._capture.detach()
        for name in self._seen:
            guarded(delattr, self._result, name)

    def collected(self, tests):
        """Notes what is going to run."""
        self._tests = [(*self._ids.of(test), type(test)) for test in tests if not is_failed(test)]
        self._records.collected([name for name, file, _ in self._tests if name != file])

    def _begins(self, test):
        before = self._capture.take(" before the test")
        self._open[id(test)] = Fold(self._now(), before)
        if len(self._open) > 1:
            for fold in self._open.values():
                fold.is_alone = False

    def _ends(self, test):
        fold = self._open.pop(id(test), None)
        output = self._capture.take()
        if fold is not None and fold.status is not None:
            self._write(test, fold, fold.output + output if fold.is_alone else "")

    def _write(self, test, fold, output):
        name, file = self._ids.of(test)
        if is_failed(test) and not file:
            return self._records.problem(test._testMethodName, (fold.details or {}).get("exception"), fold.message)
        self._done[name] = (file, type(test))
        message = fold.message + (output if fold.status in ("failed", "error") else "")
        self._records.test(name, file, fold.status, self._now() - fold.start, message, fold.details)

    def _add_error(self, test, error, part=""):
        details = {"exception": self._reader.exception(error[1], error[2])}
        status = "failed" if part or _is_in_body(error[2]) else "error"
        if is_failed(test):
            status, details = "error", {"exception": self._reader.exception(test._autolith_cause)}
        elif isinstance(error[1], AssertionError):
            details["assertion"] = self._reader.operands_in(error[2])
        self._add(test, status, part + self._text(test, error), details)

    def _sub_test(self, test, part, error):
        if error is not None:
            self._add_error(test, error, "%s\n" % part._subDescription())

    def _text(self, test, error):
        """What the result prints; with `--buffer` that holds what the test printed."""
        return guarded(self._result._exc_info_to_string, error, test) or ""

    def _add(self, test, status, message="", details=None):
        fold = self._open.get(id(test))
        if fold is not None:
            return fold.add(status, message, details)
        output = self._capture.take()
        message += "" if status == "skipped" else output
        fixture = _FIXTURE.fullmatch(str(getattr(test, "description", "")))
        if fixture is None:
            return self._records.problem(str(test), (details or {}).get("exception"), message)
        return self._fixture(*fixture.groups(), "skipped" if status == "skipped" else "error", message, details)

    def _both(self, seen, original):
        def told(*args, **kwds):
            guarded(lambda: seen(*args, **kwds))
            return self._capture.aside(original, *args, **kwds)

        return told

    def _fixture(self, kind, owner, status, message, details):
        """A set-up that failed is the failure of the tests that it was for, a tear-down that of the last test."""
        owned = [(name, file) for name, file, test in self._tests if owner in (test.__module__, _name_of(test))]
        if kind == "setUp":
            owned = [each for each in owned if each[0] not in self._done]
        else:
            done = [(name, file) for name, (file, _) in self._done.items()]
            owned = [each for each in done if each in owned][-1:]
        if not owned:
            self._records.problem("%s (%s)" % (kind, owner), (details or {}).get("exception"), message)
        for name, file in owned:
            self._records.test(name, file, status, 0, message, details)


def _is_in_body(traceback):
    """True for an error that came through the test's own method, not through set-up, tear-down or clean-up."""
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if code.co_name == "_callTestMethod" and code.co_filename.startswith(UNITTEST):
            return True
        traceback = traceback.tb_next
    return False


def _name_of(kind):
    return "%s.%s" % (kind.__module__, kind.__qualname__)
