"""Standard output and standard error of an activity: the pipes, and what came out of them."""

import os
import select
from fcntl import F_SETFL, fcntl

from capture import Capture, Pump

_STREAMS = 2
_NOTHING = {"text": "", "droppedBytes": 0}


class Outputs:
    """Two pumps, and the writing ends of their pipes, which others may hold as well."""

    __slots__ = ("paths", "writers", "_pumps", "_captures", "_readable")

    def __init__(self, loop, make_pipe):
        self._pumps = []
        self.writers = []
        self.paths = []
        self._captures = None
        try:
            for _ in range(_STREAMS):
                reader, writer, path = make_pipe()
                self._pumps.append(Pump(loop, reader))
                self.writers.append(writer)
                self.paths.append(path)
        except OSError:
            self.close()
            raise
        self._readable = select.poll()
        for pump in self._pumps:
            self._readable.register(pump.descriptor, select.POLLIN)

    @classmethod
    def anonymous(cls, loop):
        """Pipes whose writing ends have to be passed on. Raises OSError."""
        return cls(loop, lambda: (*os.pipe2(os.O_CLOEXEC), None))

    @classmethod
    def named(cls, loop, folder):
        """Pipes in a folder, for a program that can only open its output by a path. Raises OSError."""
        return cls(loop, lambda: _named_pipe(folder))

    def begin(self, limits, on_flood):
        """Starts to capture; `on_flood` is called when one stream is longer than it may be."""
        captures = self._captures
        if captures is None or captures[0].total or captures[1].total:
            captures = [Capture(limits.output_head, limits.output_tail) for _ in self._pumps]
            self._captures = captures
        for pump, capture in zip(self._pumps, captures):
            pump.fill(capture, limits.output_total, on_flood)

    def collect(self):
        """Takes what is in the pipes already."""
        # Most often nothing is, and one question costs less than an exception for each.
        for descriptor, _ in self._readable.poll(0):
            for pump in self._pumps:
                if pump.descriptor == descriptor:
                    pump.drain()

    def texts(self, share):
        """Both streams as the protocol's `{text, droppedBytes}`; `share` below 1 keeps less of their ends."""
        return [capture.output(share) if capture.total else _NOTHING for capture in self._captures]

    @property
    def is_whole(self):
        """True while both pipes are open at both ends."""
        return bool(self.writers) and all(pump.is_open for pump in self._pumps)

    def descriptors(self):
        """Of both reading ends, then of both writing ends."""
        return (*(pump.descriptor for pump in self._pumps), *self.writers)

    def rest(self):
        """Drops what comes until the next `begin`."""
        for writer in self.writers:
            # User code may have made the pipe non-blocking, for all who hold it.
            fcntl(writer, F_SETFL, 0)
        for pump in self._pumps:
            pump.ignore()

    def discard_rest(self):
        """Ignores what is still written."""
        for pump in self._pumps:
            pump.discard_rest()

    def close_writers(self):
        """From now on the pipes end with whoever else holds them."""
        for writer in self.writers:
            os.close(writer)
        for path in self.paths:
            if path is not None:
                _unlink(path)
        self.writers, self.paths = [], []

    def leave(self):
        """Ends the capture; hands over the pumps of pipes that somebody still holds open, and closes the others."""
        self.close_writers()
        pumps, self._pumps = self._pumps, []
        return [pump for pump in pumps if pump.discard_rest()]

    def close(self):
        """Closes everything. Whoever still writes gets SIGPIPE or EPIPE."""
        for pump in self.leave():
            pump.close()


def _named_pipe(folder):
    path = os.path.join(folder, f"output-{os.urandom(16).hex()}")
    os.mkfifo(path, 0o600)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    # Held until the end: a pipe without writers would count as complete before the program has opened it.
    return reader, os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC), path


def _unlink(path):
    try:
        os.unlink(path)
    except OSError:
        pass
