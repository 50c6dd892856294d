"""Lets SIGINT and time limits end user code, and nothing but user code."""

from _signal import (
    ITIMER_REAL,
    SIG_UNBLOCK,
    SIGALRM,
    SIGINT,
    getsignal,
    pthread_sigmask,
    setitimer,
    signal,
)
from time import monotonic


class Guard:
    """Calls user code; while it does not, an interrupt is forgotten."""

    def __init__(self):
        self._armed = False
        self._signals = (SIGINT,)
        self._on_interrupt = self._interrupted

    def restore(self):
        """Undoes what an earlier execution may have done to SIGINT."""
        signal(SIGINT, self._on_interrupt)
        pthread_sigmask(SIG_UNBLOCK, self._signals)

    def call(self, function, *arguments):
        """Returns (result, None) or (None, exception), whatever the exception is."""
        try:
            try:
                self._armed = True
                result = function(*arguments)
            finally:
                self._armed = False
            return result, None
        except BaseException as error:
            self._armed = False
            return None, error

    def _interrupted(self, *_):
        if self._armed:
            raise KeyboardInterrupt


class TimeIsUp(BaseException):
    """Raised in user code that took longer than its time box."""


class TimeBox:
    """Ends short calls into user code, such as `__repr__`, by a timer whose signal raises in them."""

    def __init__(self, each, total):
        self._each = each
        self._left = total
        self._inside = False

    def use_up(self):
        """Lets every further call fail at once."""
        self._left = 0

    def call(self, function, *arguments):
        """Returns the result. Raises what the function raises, or TimeIsUp."""
        if self._left <= 0 or self._inside:
            raise TimeIsUp
        started = monotonic()
        previous = getsignal(SIGALRM)
        signal(SIGALRM, self._expired)
        remaining, interval = setitimer(ITIMER_REAL, self._each, self._each)
        try:
            try:
                self._inside = True
                return function(*arguments)
            finally:
                self._inside = False
        finally:
            setitimer(ITIMER_REAL, 0)
            spent = monotonic() - started
            self._left -= spent
            if previous is not None:
                signal(SIGALRM, previous)
            if remaining:
                setitimer(ITIMER_REAL, max(0.000001, remaining - spent), interval)

    def _expired(self, *_):
        if self._inside:
            raise TimeIsUp
