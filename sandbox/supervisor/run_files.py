"""The files that a run's report plugin reads and writes, under names that nobody can guess beforehand."""

import os

from workspace_files import open_file
from workspace_paths import Directories

_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class RunFiles:
    """Makes the files; deletes them at the end of the `with` block."""

    def __init__(self, folder, report, input_text):
        self._folder = folder
        self._report = self._make("report", b"", 0o600) if report else None
        self._stacks = self._make("stacks", b"", 0o600) if report else None
        self._input = None if input_text is None else self._make("input", _encode(input_text), 0o400)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for path in (self._report, self._stacks, self._input):
            if path is not None:
                try:
                    os.unlink(path)
                except OSError:
                    pass

    def environment(self):
        """The variables that name the files."""
        names = {"AUTOLITH_REPORT": self._report, "AUTOLITH_STACKS": self._stacks, "AUTOLITH_INPUT": self._input}
        return {name: path for name, path in names.items() if path is not None}

    def report(self):
        """The report as an open file, to be closed by the caller; of kind `missing` when none was asked for."""
        return self._open(self._report)

    def stacks(self, most):
        """What was written to the stacks file, up to `most` bytes."""
        with self._open(self._stacks) as file:
            return b"".join(file.chunks())[:most] if file.kind == "file" and file.size <= 64 * most else b""

    def _open(self, path):
        with Directories(self._folder) as directories:
            return open_file(directories, [os.fsencode(os.path.basename(path or "no-report"))])

    def _make(self, kind, content, mode):
        path = os.path.join(self._folder, f"{kind}-{os.urandom(16).hex()}")
        descriptor = os.open(path, _CREATE, mode)
        with open(descriptor, "wb") as file:
            file.write(content)
        return path


def _encode(text):
    return text.encode("utf-8", "replace")
