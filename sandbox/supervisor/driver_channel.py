"""The private channel to a driver: executions out, frames with replies in, neither of which ever blocks."""

import fcntl
import os
import resource
import socket
import struct

from event_loop import READ, WRITE

# Leaves room in a header of the host's for the least of both outputs.
_LONGEST_REPLY = 500 * 1024
_LOWEST_DESCRIPTOR = 200
_REQUEST = struct.Struct(">II")
_LENGTH = struct.Struct(">I")


class DriverChannel:
    """One end of a socket pair; the driver has the other one. Nothing is read before `listen`."""

    def __init__(self, loop):
        self._loop = loop
        self._on_frame = self._on_refusal = self._on_end = None
        self._incoming = bytearray()
        self._outgoing = b""
        self._socket, self._theirs = socket.socketpair()
        self._socket.setblocking(False)

    @property
    def descriptor(self):
        """Of this end; negative once it is closed."""
        return self._socket.fileno()

    @property
    def is_calm(self):
        """True when no part of a frame is held, in either direction."""
        return not self._outgoing and not self._incoming

    def driver_end(self):
        """A duplicate of the other end, on a descriptor that cannot be guessed, above all that programs open."""
        highest = min(resource.getrlimit(resource.RLIMIT_NOFILE)[0], 4096) - 32
        lowest = min(_LOWEST_DESCRIPTOR, max(100, highest - 1))
        chosen = lowest + int.from_bytes(os.urandom(4)) % max(1, highest - lowest)
        return fcntl.fcntl(self._theirs, fcntl.F_DUPFD_CLOEXEC, chosen)

    def listen(self, on_frame, on_refusal, on_end):
        """Calls `on_frame(body)`, `on_refusal(reason)` for what is no frame, and `on_end()` when the driver has closed its end."""
        self._theirs.close()
        self._on_frame = on_frame
        self._on_refusal = on_refusal
        self._on_end = on_end
        self._loop.watch(self.descriptor, READ, self._readable)

    def send(self, number, text, descriptors):
        """Sends one execution, and passes descriptors on. Raises OSError."""
        body = text.encode("utf-8", "surrogatepass")
        frame = _REQUEST.pack(len(body) + 4, number) + body
        sent = self._socket.sendmsg([frame], _passed(descriptors))
        if sent < len(frame):
            self._outgoing = frame[sent:]
            self._loop.rewatch(self.descriptor, READ | WRITE)

    def take(self, data):
        """Handles what was read from the driver."""
        if not self._incoming and len(data) >= 4 and _LENGTH.unpack_from(data)[0] == len(data) - 4 <= _LONGEST_REPLY:
            self._on_frame(data[4:])
            return
        self._incoming += data
        while len(self._incoming) >= 4:
            (length,) = _LENGTH.unpack_from(self._incoming)
            if length > _LONGEST_REPLY:
                self._on_refusal("the runtime sent a frame that is too long")
                return
            if len(self._incoming) < 4 + length:
                return
            body = bytes(self._incoming[4 : 4 + length])
            del self._incoming[: 4 + length]
            self._on_frame(body)

    def drain(self):
        """Takes what the driver has sent already."""
        while self.descriptor >= 0 and self._readable():
            pass

    def close(self):
        """Hears and says nothing any more."""
        self._incoming.clear()
        self._theirs.close()
        if self.descriptor >= 0:
            self._loop.forget(self.descriptor)
            self._socket.close()

    def _readable(self):
        """Reads once; false when there was nothing."""
        if self._outgoing:
            self._send_rest()
        try:
            data = self._socket.recv(65536)
        except BlockingIOError:
            return False
        except OSError:
            data = b""
        if not data:
            self.close()
            self._on_end()
            return False
        self.take(data)
        return True

    def _send_rest(self):
        try:
            sent = self._socket.send(self._outgoing)
        except BlockingIOError:
            return
        except OSError:
            sent = len(self._outgoing)
        self._outgoing = self._outgoing[sent:]
        if not self._outgoing:
            self._loop.rewatch(self.descriptor, READ)


def _passed(descriptors):
    """What `sendmsg` takes to pass descriptors on."""
    if not descriptors:
        return []
    return [(socket.SOL_SOCKET, socket.SCM_RIGHTS, struct.pack(f"{len(descriptors)}i", *descriptors))]
