"""Which of the workspace's functions run during a test, set-up included. PYTEST_DONT_REWRITE

Only the files are told, and only where somebody asked. Needs `sys.monitoring` (Python 3.12); each function costs one call
back a test.
"""

import os
import sys

MAX_FILES = 50
# Function bodies have this flag; modules and classes, which run on import, have not.
_IS_FUNCTION = 0x0001
_TOOL = 4


class Reach:
    """Listens while it is started."""

    def __init__(self, workspace, is_own):
        self._root = os.path.join(os.path.realpath(workspace), "")
        self._is_own, self._realpath = is_own, os.path.realpath
        self._files = set()
        self._monitoring = None

    def open(self):
        """Takes a place among the interpreter's tools; without one nothing is told."""
        monitoring = getattr(sys, "monitoring", None)
        try:
            monitoring.use_tool_id(_TOOL, "autolith")
            monitoring.register_callback(_TOOL, monitoring.events.PY_START, self._started)
        except (AttributeError, ValueError):
            return
        self._monitoring = monitoring

    def start(self):
        """Begins with a test."""
        if self._monitoring is not None:
            self._files = set()
            self._monitoring.restart_events()
            self._monitoring.set_events(_TOOL, self._monitoring.events.PY_START)

    def stop(self):
        """Ends with a test."""
        if self._monitoring is not None:
            self._monitoring.set_events(_TOOL, 0)

    def files(self):
        """Files whose functions ran since the start, relative to the workspace; None where nobody listens."""
        return None if self._monitoring is None else sorted(self._files)[:MAX_FILES]

    def _started(self, code, _offset):
        try:
            if code.co_flags & _IS_FUNCTION and self._is_own(code.co_filename):
                self._files.add(self._realpath(code.co_filename)[len(self._root):])
        except Exception:  # noqa: S110 - a test's outcome must not depend on who listens
            pass
        return self._monitoring.DISABLE
