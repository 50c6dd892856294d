"""The records of a report, as `src/runner/report-record.ts` reads them."""

import os

from .values import redact, shorten

MESSAGE_CHARS = 8_000
IDS_PER_RECORD = 500


class Records:
    """Writes records to the report of one process."""

    def __init__(self, report, workspace):
        self._report = report
        self._workspace = os.path.realpath(workspace)
        self._join, self._normpath = os.path.join, os.path.normpath

    def start(self, runner, version):
        """Writes the opening record."""
        self._report.write({"kind": "start", "runner": runner, "version": version})

    def collected(self, ids):
        """Writes the ids of the tests that are going to run, in their order."""
        for first in range(0, len(ids), IDS_PER_RECORD):
            self._report.write({"kind": "collected", "ids": ids[first: first + IDS_PER_RECORD]})

    def test(self, name, file, status, seconds, message="", details=None):
        """Writes one test; `details` may hold its exception, the operands of its assertion, and the files that it reached."""
        record = {"kind": "test", "id": name, "file": file, "status": status, "durationMs": round(seconds * 1000, 3)}
        if status == "passed":
            return self._report.write(record)
        details = details or {}
        self._report.write_detailed(record, {
            "message": shorten(redact(message), MESSAGE_CHARS),
            "exception": details.get("exception"),
            "assertion": details.get("assertion"),
            **({} if details.get("reached") is None else {"reached": details["reached"]}),
        })

    def problem(self, path, exception, message=""):
        """Writes an error that belongs to no test file, such as a conftest.py that cannot be imported."""
        record = {"kind": "problem", "id": self.relative(path)}
        message = shorten(redact(message), MESSAGE_CHARS)
        self._report.write_detailed(record, {"message": message, "exception": exception})

    def close(self, status):
        """Writes the closing record."""
        self._report.write({"kind": "end", "exitStatus": status})

    def relative(self, path):
        """A path of the workspace as it is written there; any other one as it is."""
        path = self._normpath(path)
        if path == self._workspace:
            return "."
        return path[len(self._workspace) + 1:] if path.startswith(self._workspace + os.sep) else path
