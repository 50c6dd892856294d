"""The report file: one JSON object a line.

The tests run in this very process, so they may have replaced `json.dumps`, `open` or `os.write` by the time that a line
is written. The writer holds what it needs from before any test was imported, and formats plain data by hand.
"""

import os
from json.encoder import encode_basestring_ascii

DETAIL_BYTES = 6 * 1024 * 1024


class ReportFile:
    """Appends records. A failed write is forgotten: the missing closing record tells that the report is not whole."""

    def __init__(self, path):
        self._path = path
        self._open, self._write, self._close, self._getpid = os.open, os.write, os.close, os.getpid
        self._flags = os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC
        self._encode = encode_basestring_ascii
        self._pid = os.getpid()
        self._details_left = DETAIL_BYTES

    def write(self, record):
        """Writes one record, unless this is a fork of the process that the report belongs to."""
        if self._getpid() != self._pid:
            return
        try:
            data = self._json(record).encode("ascii") + b"\n"
            # Opened anew each time: a test may have closed every descriptor, or put another file on ours.
            descriptor = self._open(self._path, self._flags)
            try:
                while data:
                    data = data[self._write(descriptor, data):]
            finally:
                self._close(descriptor)
        except OSError:
            pass

    def write_detailed(self, record, details):
        """Writes a record with its details, as long as the report as a whole stays within bounds."""
        cost = len(self._json(details))
        if cost <= self._details_left:
            self._details_left -= cost
            record = {**record, **details}
        self.write(record)

    def _json(self, value):
        if value is None:
            return "null"
        if value is True or value is False:
            return "true" if value else "false"
        if isinstance(value, str):
            return self._encode(str(value))
        if isinstance(value, int):
            return int.__repr__(value)
        if isinstance(value, float):
            return float.__repr__(value) if value == value and abs(value) != float("inf") else "0"
        if isinstance(value, dict):
            return "{" + ",".join(self._encode(str(key)) + ":" + self._json(item) for key, item in value.items()) + "}"
        return "[" + ",".join(map(self._json, value)) + "]"
