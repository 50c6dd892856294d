"""Makes everything that the supervisor starts a likelier victim of the kernel's out-of-memory killer than itself."""

import os
from contextlib import contextmanager

_RAISED = b"500"


class OomScore:
    """Holds the supervisor's own `oom_score_adj` open; must be made before the process becomes non-dumpable."""

    def __init__(self):
        try:
            self._file = os.open("/proc/self/oom_score_adj", os.O_RDWR | os.O_CLOEXEC)
            self._own = os.pread(self._file, 16, 0).strip()
        except OSError:
            self._file = None

    @contextmanager
    def raised(self):
        """Raises the score while a child is started, which inherits it. Going back needs no privilege."""
        self._write(_RAISED)
        try:
            yield
        finally:
            if self._file is not None:
                self._write(self._own)

    def _write(self, score):
        if self._file is not None and int(self._own) < int(_RAISED):
            try:
                os.pwrite(self._file, score, 0)
            except OSError:
                self._file = None
