"""Pipes for what a process prints, each as a pump and the writing end: the first for output, the second for errors."""

import os
from fcntl import F_SETFL, fcntl

from capture import Pump

_STREAMS = 2


def fresh_pipes(loop):
    """Pipes that nobody has used; whoever takes them closes them. Raises OSError."""
    pipes = []
    try:
        for _ in range(_STREAMS):
            reader, writer = os.pipe2(os.O_CLOEXEC)
            pipes.append((Pump(loop, reader), writer))
    except OSError:
        _close(pipes)
        raise
    return pipes


class KeptPipes:
    """The pipes of one driver, which serve execution after execution as long as nobody else can write to them."""

    def __init__(self, loop):
        self._loop = loop
        self._kept = []

    def take(self):
        """Pipes for one execution, and whether they are those that the driver had before. Raises OSError."""
        kept, self._kept = self._kept, []
        if kept and all(pump.is_open for pump, _ in kept):
            return kept, True
        _close(kept)
        return fresh_pipes(self._loop), False

    def keep(self, pipes):
        """Takes pipes back that only the driver itself can write to."""
        for pump, writer in pipes:
            # User code may have made the pipe non-blocking, for all who hold it.
            fcntl(writer, F_SETFL, 0)
            pump.ignore()
        self._kept += pipes

    def close(self):
        """Closes what is kept."""
        _close(self._kept)
        self._kept = []


def _close(pipes):
    for pump, writer in pipes:
        pump.close()
        os.close(writer)
