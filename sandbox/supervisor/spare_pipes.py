"""Pipes for what a process prints, made while nobody waits for them."""

import os
from fcntl import F_SETFL, fcntl

from capture import Pump

_PAIR = 2


class SparePipes:
    """Pipes, each for one stream of the output of one process at a time."""

    def __init__(self, loop):
        self._loop = loop
        self._spare = []

    def take(self):
        """A pump that reads from a pipe nobody else can write to, and the pipe's writing end, which the caller closes."""
        while self._spare:
            pump, writer = self._spare.pop()
            if pump.is_open:
                return pump, writer
            os.close(writer)
        return self._make()

    def give_back(self, pipes):
        """Keeps pairs from `take` for the next time. Only for pipes that nobody else can write to any more."""
        for pump, writer in pipes:
            # Whoever wrote to it may have made it non-blocking, for all who hold it.
            fcntl(writer, F_SETFL, 0)
            pump.ignore()
            self._spare.insert(0, (pump, writer))

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
