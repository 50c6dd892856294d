"""The stream to the host: frames in on standard input, frames out on standard output, neither of which ever blocks."""

import os
from collections import deque

from event_loop import READ, WRITE, Latch
from frames import FrameReader, ProtocolError, encode_frame

_READ_SIZE = 64 * 1024
_QUEUE_LIMIT = 1 << 20


class HostChannel:
    """Nothing is read before `listen`."""

    def __init__(self, loop):
        self._loop = loop
        self._on_frame = self._on_protocol_error = self._on_end = None
        self._reader = FrameReader()
        self._queue = deque()
        self._queued = 0
        self._drained = None
        self._reading = False
        for descriptor in (0, 1):
            os.set_blocking(descriptor, False)

    def listen(self, on_frame, on_protocol_error, on_end):
        """Calls `on_frame(header, binary)`, `on_protocol_error(error)` and, when the host is gone, `on_end()`."""
        self._on_frame = on_frame
        self._on_protocol_error = on_protocol_error
        self._on_end = on_end
        try:
            self.resume()
        except PermissionError:
            # A file, such as /dev/null: there is no host.
            self._reading = False
            self._loop.soon(on_end)

    def pause(self):
        """Leaves further requests with the host until `resume`."""
        if self._reading:
            self._reading = False
            self._loop.forget(0)

    def resume(self):
        """Undoes `pause`."""
        if not self._reading:
            self._reading = True
            self._loop.watch(0, READ, self._readable)

    def send(self, header, binary=b""):
        """Queues a frame, and writes it at once where that is possible."""
        frame = encode_frame(header, binary)
        if not self._queue:
            frame = self._write(frame)
            if not frame:
                return
            self._loop.watch(1, WRITE, self._writable)
        self._queue.append(frame)
        self._queued += len(frame)

    @property
    def is_calm(self):
        """True when nothing is under way in either direction."""
        return self._reading and not self._queue and self._reader.is_empty

    async def room(self):
        """Waits until the host has taken most of what was sent."""
        while self._queued > _QUEUE_LIMIT:
            self._drained = Latch(self._loop)
            await self._drained

    async def flushed(self):
        """Waits until the host has taken everything."""
        while self._queue:
            self._drained = Latch(self._loop)
            await self._drained

    def _readable(self):
        try:
            data = os.read(0, _READ_SIZE)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        self.take(data)

    def take(self, data):
        """Handles what was read from the host; nothing means that the host is gone."""
        if not data:
            self.pause()
            self._on_end()
            return
        try:
            for header, binary in self._reader.feed(data):
                self._on_frame(header, binary)
        except ProtocolError as error:
            self.pause()
            self._on_protocol_error(error)

    def _write(self, frame):
        try:
            written = os.write(1, frame)
        except BlockingIOError:
            return frame
        except OSError:
            self._on_end()
            return b""
        return frame[written:]

    def _writable(self):
        while self._queue:
            frame = self._queue.popleft()
            rest = self._write(frame)
            self._queued -= len(frame) - len(rest)
            if rest:
                self._queue.appendleft(rest)
                break
        if not self._queue:
            self._loop.forget(1)
        if self._drained is not None and (not self._queue or self._queued <= _QUEUE_LIMIT):
            drained, self._drained = self._drained, None
            drained.set()
