"""Turns pytest's events into records. PYTEST_DONT_REWRITE"""

import os

from .failure import expects_left, operands
from .fold import Fold, text_of
from .values import redact, shorten

MESSAGE_CHARS = 8_000
IDS_PER_RECORD = 500


class Recorder:
    """Writes what the whole run shows. `root` is pytest's root folder, which node ids are relative to."""

    def __init__(self, report, workspace, root):
        self._report = report
        self._workspace = os.path.realpath(workspace)
        self._root = root
        self._open = {}

    def start(self, version):
        """Writes the opening record."""
        self._report.write({"kind": "start", "runner": "pytest", "version": version})

    def collected(self, ids):
        """Writes the ids of the tests that are going to run, in their order."""
        for first in range(0, len(ids), IDS_PER_RECORD):
            self._report.write({"kind": "collected", "ids": ids[first: first + IDS_PER_RECORD]})

    def phase(self, report):
        """Takes one phase of one test; the record is written after its last phase."""
        fold = self._open.setdefault(report.nodeid, Fold(report.nodeid))
        fold.add(report)
        if report.when == "teardown":
            self._finish(self._open.pop(report.nodeid))

    def collect_problem(self, report):
        """Writes a file, class or folder that could not be collected, or that is skipped as a whole."""
        fold = Fold(report.nodeid)
        fold.status = "skipped" if report.skipped else "error"
        fold.message, fold.details = text_of(report), getattr(report, "_autolith", None)
        path = os.path.join(self._root, report.nodeid.partition("::")[0])
        if os.path.isfile(path) and os.path.basename(path) != "conftest.py":
            return self._finish(fold)
        if fold.status == "error":
            self.problem(path, (fold.details or {}).get("exception"), fold.message)

    def problem(self, path, exception, message=""):
        """Writes an error that belongs to no test file, such as a conftest.py that cannot be imported."""
        record = {"kind": "problem", "id": self._relative(path)}
        message = shorten(redact(message), MESSAGE_CHARS)
        self._report.write_detailed(record, {"message": message, "exception": exception})

    def end(self, status):
        """Writes tests whose last phase never came (their worker died), then the closing record."""
        for fold in self._open.values():
            self._finish(fold)
        self._report.write({"kind": "end", "exitStatus": status})

    def _finish(self, fold):
        if fold.status is None:
            return
        record = {
            "kind": "test",
            "id": fold.nodeid,
            "file": self._file(fold.nodeid),
            "status": fold.status,
            "durationMs": round(fold.duration * 1000, 3),
        }
        if fold.status == "passed":
            return self._report.write(record)
        details = fold.details or {}
        self._report.write_detailed(record, {
            "message": shorten(redact(fold.message), MESSAGE_CHARS),
            "exception": details.get("exception"),
            "assertion": details.get("assertion"),
        })

    def _file(self, nodeid):
        return self._relative(os.path.join(self._root, nodeid.partition("::")[0]))

    def _relative(self, path):
        path = os.path.normpath(path)
        if path == self._workspace:
            return "."
        return path[len(self._workspace) + 1:] if path.startswith(self._workspace + os.sep) else path


class Comparison:
    """The last comparison that failed in a rewritten assertion. It is the test's failure only when it has the same
    place."""

    def __init__(self):
        self._place = self._operands = self._sides = None

    def remember(self, frame, operator, left, right):
        """Takes the operands as they are now, since the test may change them; `frame` is the assertion's, or None."""
        self._place = None if frame is None else (frame.f_code, frame.f_lineno)
        self._sides = operands(operator, left, right)

    def of(self, traceback, statement):
        """The operands, when the innermost frame of the traceback is where they were compared."""
        while traceback is not None and traceback.tb_next is not None:
            traceback = traceback.tb_next
        if traceback is None or self._place is None or self._place[0] is not traceback.tb_frame.f_code:
            return None
        if self._place[1] != traceback.tb_lineno:
            return None
        sides = dict(self._sides)
        if sides["operator"] in ("==", "!=", "is", "is not") and expects_left(statement):
            sides["produced"], sides["expected"] = sides["expected"], sides["produced"]
        return sides
