"""Turns pytest's events into records. PYTEST_DONT_REWRITE"""

import os

from autolith_report.failure import expects_left, operands
from autolith_report.records import Records

from .fold import Fold, text_of


class Recorder(Records):
    """Writes what the whole run shows. `root` is pytest's root folder, which node ids are relative to."""

    def __init__(self, report, workspace, root):
        super().__init__(report, workspace)
        self._root = root
        self._open = {}

    def id_of(self, nodeid):
        """A node id with its path as the workspace has it: pytest's own is relative to its root folder."""
        path, colons, inner = nodeid.partition("::")
        return self.relative(os.path.join(self._root, path)) + colons + inner

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

    def end(self, status):
        """Writes tests whose last phase never came (their worker died), then the closing record."""
        for fold in self._open.values():
            self._finish(fold)
        self.close(status)

    def _finish(self, fold):
        if fold.status is not None:
            name = self.id_of(fold.nodeid)
            self.test(name, name.partition("::")[0], fold.status, fold.duration, fold.message, fold.details)


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
