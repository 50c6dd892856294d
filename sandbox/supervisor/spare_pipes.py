"""Pipes for what a process prints, made while nobody waits for them."""

import os

from capture import Pump

_PAIR = 2


class SparePipes:
    """Fresh pipes, each for one process and one stream of its output."""

    def __init__(self, loop):
        self._loop = loop
        self._spare = []

    def take(self):
        """A pump that reads from a pipe nobody has used, and the pipe's writing end, which the caller closes."""
        return self._spare.pop() if self._spare else self._make()

    def refill(self):
        """Makes the pair that comes next. Where that fails, `take` will say so."""
        try:
            while len(self._spare) < _PAIR:
                self._spare.append(self._make())
        except OSError:
            pass

    def _make(self):
        reader, writer = os.pipe2(os.O_CLOEXEC)
        return Pump(self._loop, reader), writer
