"""Source lines: of executions, and of files, which are opened with care since any path may stand in a code object."""

import linecache
from os import O_CLOEXEC, O_NOCTTY, O_NONBLOCK, O_RDONLY, close, fstat
from os import open as open_descriptor
from os import read
from stat import S_ISREG

_LONGEST_FILE = 4 << 20
_LONGEST_LINE = 500
_linecache = linecache.cache


def remember(name, code):
    """Makes the lines of an execution known to `linecache`, so that tracebacks printed by user code show them too."""
    _linecache[name] = (len(code), None, code.splitlines(keepends=True), name)


class SourceLines:
    """Reads each file at most once."""

    def __init__(self):
        self._files = {}

    def line(self, name, number):
        """The stripped source line, empty when it cannot be read."""
        lines = self._files.get(name)
        if lines is None:
            lines = self._files[name] = _lines(name)
        if not 0 < number <= len(lines):
            return ""
        return lines[number - 1].strip()[:_LONGEST_LINE]


def _lines(name):
    if name.startswith("<"):
        entry = _linecache.get(name)
        return entry[2] if type(entry) is tuple and len(entry) == 4 and type(entry[2]) is list else []
    data = read_regular(name, _LONGEST_FILE)
    return [] if data is None else data.decode("utf-8", "replace").splitlines()


def read_regular(path, most):
    """The bytes of a regular file; None for anything else, anything longer, and anything that cannot be read."""
    try:
        descriptor = open_descriptor(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        try:
            status = fstat(descriptor)
            if not S_ISREG(status.st_mode) or status.st_size > most:
                return None
            return read(descriptor, most)
        finally:
            close(descriptor)
    except (OSError, ValueError):
        return None
