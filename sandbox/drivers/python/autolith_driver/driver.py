"""The driver's own loop: takes an execution, runs it, replies."""

import faulthandler
import os
import sys
from _thread import _count as count_threads
from ctypes import CDLL
from os import chdir, getcwd, getpid, umask
from signal import SIGUSR1
from sys import modules, path, path_hooks

from .background import background
from .channel import Channel
from .evaluation import Evaluation
from .exceptions import ExceptionReporter
from .guard import Guard, TimeBox
from .representation import Representation
from .workspace_modules import importer_for, stale_files

_UMASK = 0o022
_SMALL = 1 << 62
_NOTHING = []
_exit = os._exit
_flush_c = CDLL(None).fflush


class Driver:
    """One process, one namespace, one execution at a time."""

    def __init__(self, descriptor):
        self._workspace = getcwd()
        self._channel = Channel(descriptor)
        self._guard = Guard()
        self._evaluation = Evaluation(self._guard, self._workspace)
        self._exceptions = ExceptionReporter(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        self._pid = getpid()
        sys.stdout.reconfigure(line_buffering=True, errors="backslashreplace")
        self._streams = (sys.stdin, sys.stdout, sys.stderr)
        self._is_alone = True

    def serve(self):
        """Serves until the supervisor closes the channel."""
        faulthandler.enable(2)
        faulthandler.register(SIGUSR1, 2, all_threads=True)
        modules["__main__"] = self._evaluation.module
        path.insert(0, self._workspace)
        path_hooks.insert(0, importer_for(self._workspace))
        sys.path_importer_cache.clear()
        self._restore()
        self._channel.send(_reply(0, "ready", sys.version.split()[0]))
        while True:
            number, code = self._channel.receive()
            if not self._is_alone:
                self._restore()
            self._channel.send(self._execute(number, code))
            # Nobody waits for it here; only what still runs could undo it before the next execution.
            self._restore()

    def _execute(self, number, code):
        value, error = self._evaluation.run(f"<execution-{number}>", code)
        if getpid() != self._pid:
            self._leave_fork(error)
        text, exception = self._told(value, error)
        stale, _ = self._guard.call(stale_files, self._workspace)
        running, _ = self._guard.call(self._background)
        self._is_alone = running == [] and not count_threads()
        self._flush()
        return _reply(number, _outcome(error), text, exception, stale or _NOTHING, running or _NOTHING)

    def _restore(self):
        """Brings back what the next execution relies on."""
        self._guard.restore()
        umask(_UMASK)
        sys.stdin, sys.stdout, sys.stderr = self._streams
        if modules.get("__main__") is not self._evaluation.module:
            modules["__main__"] = self._evaluation.module
        try:
            chdir(self._workspace)
        except OSError:
            pass
        if type(sys.path) is not list:
            sys.path = [self._workspace]
        elif not sys.path or sys.path[0] != self._workspace:
            sys.path.insert(0, self._workspace)

    def _leave_fork(self, error):
        """User code forked, and this is the child: it ends as a script would, and does not answer for its parent."""
        status = 0
        if isinstance(error, SystemExit):
            status = error.code if isinstance(error.code, int) else 0 if error.code is None else 1
        elif error is not None:
            status = 1
            self._guard.call(_print_exception, error)
        self._flush()
        _exit(status & 0xFF)

    def _told(self, value, error):
        """The value or the exception in words; user code may be called for it."""
        if error is not None:
            exception, failure = self._guard.call(self._exceptions.report, error)
            return None, exception if failure is None else _plain(error)
        if value is None:
            return None, None
        if type(value) is bool or type(value) is int and -_SMALL < value < _SMALL:
            return repr(value), None
        text, failure = self._guard.call(self._represent, value)
        return text if failure is None else f"<{type(value).__name__} object>", None

    def _represent(self, value):
        return Representation(16_384, 6, 200, redact=False, box=TimeBox(1.0, 2.0)).of(value)

    def _background(self):
        return background(self._evaluation.tasks())

    def _flush(self):
        _, out, error = self._streams
        for stream in (out, error):
            self._guard.call(stream.flush)
        for stream in (getattr(sys, "stdout", None), getattr(sys, "stderr", None)):
            if stream is not out and stream is not error:
                self._guard.call(_flush_stream, stream)
        _flush_c(None)


def _print_exception(error):
    sys.__excepthook__(type(error), error, error.__traceback__)


def _flush_stream(stream):
    stream.flush()


def _reply(number, outcome, value=None, exception=None, stale=_NOTHING, background=_NOTHING):
    return {
        "execution": number, "outcome": outcome, "value": value, "exception": exception,
        "stale": stale[:500], "background": background[:500],
    }  # fmt: skip


def _outcome(error):
    if error is None:
        return "ok"
    if isinstance(error, KeyboardInterrupt):
        return "interrupted"
    return "exited" if isinstance(error, SystemExit) else "error"


def _plain(error):
    """The least that can be said of an exception whose report failed."""
    return {"type": type(error).__name__, "message": "<the exception could not be reported>", "frames": []}
