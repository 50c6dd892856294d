"""What a process prints: the first and the last bytes of one stream, and how many were left out between them."""

import os
from fcntl import ioctl
from termios import FIONREAD

from event_loop import READ

_READ_SIZE = 64 * 1024
_READS_AT_ONCE = 16
_SMALLEST_SHARE = 256
_NOTHING = bytes(4)


class Capture:
    """A stream's first `head` and last `tail` bytes. Constant memory, however much is written."""

    def __init__(self, head, tail):
        self._head_size = head
        self._tail_size = tail
        self._head = bytearray()
        self._tail = bytearray()
        self.total = 0

    def write(self, data):
        """Adds bytes at the end."""
        self.total += len(data)
        room = self._head_size - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        if data:
            self._tail += data[-self._tail_size :] if self._tail_size else b""
            if len(self._tail) > 2 * self._tail_size:
                del self._tail[: -self._tail_size or None]

    def output(self, share=1.0):
        """The stream as the protocol's `{text, droppedBytes}`; `share` below 1 keeps less of both ends."""
        if not self.total:
            return {"text": "", "droppedBytes": 0}
        head, tail = bytes(self._head), bytes(self._tail[-self._tail_size :] if self._tail_size else b"")
        if share < 1.0:
            everything = head + tail
            joined = len(everything) == self.total
            keep = max(_SMALLEST_SHARE, int(share * (self._head_size + self._tail_size) / 2))
            head = (everything if joined else head)[:keep]
            rest = everything[len(head) :] if joined else tail
            tail = rest[-keep:]
        if len(head) + len(tail) < self.total:
            head, tail = _without_cut_characters(head, tail)
        dropped = self.total - len(head) - len(tail)
        if not dropped:
            return {"text": _text(head + tail), "droppedBytes": 0}
        return {"text": f"{_text(head)}\n[... {dropped} bytes left out ...]\n{_text(tail)}", "droppedBytes": dropped}


def _text(data):
    return data.decode("utf-8", "backslashreplace")


def _without_cut_characters(head, tail):
    """Drops up to three bytes on each side of the cut, where it went through a UTF-8 character."""
    for back in range(1, min(4, len(head) + 1)):
        byte = head[-back]
        if byte & 0xC0 != 0x80:
            length = 4 if byte >= 0xF0 else 3 if byte >= 0xE0 else 2 if byte >= 0xC0 else 1
            head = head[:-back] if length > back else head
            break
    start = 0
    while start < min(3, len(tail)) and tail[start] & 0xC0 == 0x80:
        start += 1
    return head, tail[start:]


class Pump:
    """Moves bytes from a pipe into a capture as they come; owns the pipe's reading end."""

    def __init__(self, loop, descriptor):
        self._loop = loop
        self.descriptor = descriptor
        self._capture = None
        self._most = 0
        self._on_flood = self.close
        os.set_blocking(descriptor, False)
        loop.watch(descriptor, READ, self._readable)

    def fill(self, capture, most, on_flood):
        """Says where the bytes go, and what is called when they are more than `most`."""
        self._capture = capture
        self._most = most
        self._on_flood = on_flood

    def ignore(self):
        """Forgets what comes from now on; closes when it is too much."""
        self._capture = None
        self._on_flood = self.close

    @property
    def is_open(self):
        """False once the other end is closed, or `close` was called."""
        return self.descriptor is not None

    def drain(self):
        """Reads what is in the pipe already."""
        # Most often nothing is, and asking first costs less than an exception.
        while self.descriptor is not None and ioctl(self.descriptor, FIONREAD, _NOTHING) != _NOTHING:
            if not self._read():
                break

    def close(self):
        """Stops reading. Whoever still writes gets SIGPIPE or EPIPE."""
        if self.descriptor is not None:
            self._loop.forget(self.descriptor)
            os.close(self.descriptor)
            self.descriptor = None

    def discard_rest(self):
        """Ignores what is still written; false when nobody can write any more, so that nothing is left to close."""
        self.ignore()
        self._readable()
        return self.is_open

    def _readable(self):
        """Reads for a short while."""
        for _ in range(_READS_AT_ONCE):
            if not self._read():
                break

    def _read(self):
        """Reads once; false when there is nothing to read, now or for ever."""
        if self.descriptor is None:
            return False
        try:
            data = os.read(self.descriptor, _READ_SIZE)
        except BlockingIOError:
            return False
        if not data:
            self.close()
            return False
        self._most -= len(data)
        if self._capture is not None:
            self._capture.write(data)
        if self._most < 0:
            self._on_flood()
            return False
        return True
