"""One live runtime: the driver process of a language, and the private channel to it."""

import fcntl
import os
import resource
import socket
import struct

from capture import Capture, Pump
from driver_reply import BadReply, decode
from driver_status import DriverStatus
from event_loop import READ, WRITE, Latch
from outputs import Outputs

# Exit status by which a driver says that it lost its channel; not a status that a program would choose.
CHANNEL_LOST = 97
_BOOT_OUTPUT = 4096
# Leaves room in a header of the host's for the least of both outputs.
_LONGEST_REPLY = 500 * 1024
_LOWEST_DESCRIPTOR = 200
_EOF_WAIT = 1.0
_REQUEST = struct.Struct(">II")
_LENGTH = struct.Struct(">I")


class Runtime:
    """A driver process. `answer` is set with a Reply, or with a text that says how the channel broke."""

    def __init__(self, loop, processes, language, command, places):
        self._loop = loop
        self._scratch = places.scratch
        self.language = language
        self.has_state = False
        self.is_broken = False
        self.boot = Capture(_BOOT_OUTPUT, _BOOT_OUTPUT)
        self.answer = Latch(loop)
        self._ending = None
        self._expected = 0
        self._incoming = bytearray()
        self._outgoing = b""
        reader, writer = os.pipe2(os.O_CLOEXEC)
        self._channel, theirs = socket.socketpair()
        self._channel.setblocking(False)
        descriptor = _hidden_duplicate(theirs)
        try:
            self.child = processes.spawn(
                [*command, str(descriptor)], cwd=places.workspace, env=places.environment(), stdout=writer,
                stderr=writer, pass_fds=(descriptor,),
            )  # fmt: skip
        except OSError:
            self._channel.close()
            os.close(reader)
            raise
        finally:
            theirs.close()
            os.close(descriptor)
            os.close(writer)
        self._boot_pump = Pump(loop, reader)
        self._boot_pump.fill(self.boot, _BOOT_OUTPUT * 64, self._boot_pump.discard_rest)
        self._status = DriverStatus(self.child.pid)
        self._outputs = None
        loop.watch(self._channel.fileno(), READ, self._readable)
        self.child.exited.then(self._exited)

    def execute(self, number, code, activity):
        """Sends one execution, and the pipes' ends unless the driver has them; sets up `answer` for it."""
        self.answer = Latch(self._loop)
        self._ending = activity.ending
        self._expected = number
        self.has_state = True
        outputs, self._outputs = self._outputs, None
        if outputs is not None and outputs.is_whole:
            activity.capture(outputs)
            self._send(number, code, [])
        elif self.language == "python":
            activity.capture(outputs := Outputs.anonymous(self._loop))
            self._send(number, code, outputs.writers)
        else:
            activity.capture(outputs := Outputs.named(self._loop, self._scratch))
            self._send(number, "\0".join([*outputs.paths, code]), [])

    def _send(self, number, text, descriptors):
        body = text.encode("utf-8", "surrogatepass")
        frame = _REQUEST.pack(len(body) + 4, number) + body
        try:
            sent = self._channel.sendmsg([frame], _passed(descriptors))
        except OSError as error:
            self._settle(f"the channel to the runtime is closed: {error.strerror}")
            return
        if sent < len(frame):
            self._outgoing = frame[sent:]
            self._loop.rewatch(self._channel.fileno(), READ | WRITE)

    def resident_bytes(self):
        """Resident memory of the driver process; 0 when it is gone."""
        return self._status.resident_bytes()

    def is_alone(self):
        """True when the driver process has neither children nor threads that go on."""
        return not self.is_broken and self._status.is_alone()

    def keep(self, outputs):
        """Takes the outputs of an execution for the next one; only while the runtime is alone."""
        outputs.rest()
        self._outputs = outputs

    def close(self):
        """Closes what belongs to a process that has ended, or is about to be killed."""
        self._close_channel()
        self._boot_pump.drain()
        self._boot_pump.close()
        self._status.close()
        if self._outputs is not None:
            self._outputs.close()
            self._outputs = None

    def _readable(self):
        """Takes what there is to read; false when there was nothing."""
        if self._outgoing:
            self._send_rest()
        try:
            data = self._channel.recv(65536)
        except BlockingIOError:
            return False
        except OSError:
            data = b""
        if not data:
            self.is_broken = True
            self._close_channel()
            self._loop.later(_EOF_WAIT, lambda: self._settle("the runtime closed its channel"))
            return False
        if not self._incoming and len(data) >= 4 and _LENGTH.unpack_from(data)[0] == len(data) - 4 <= _LONGEST_REPLY:
            self._take(data[4:])
            return True
        self._incoming += data
        while len(self._incoming) >= 4:
            (length,) = _LENGTH.unpack_from(self._incoming)
            if length > _LONGEST_REPLY:
                self._break("the runtime sent a frame that is too long")
                return False
            if len(self._incoming) < 4 + length:
                break
            body = bytes(self._incoming[4 : 4 + length])
            del self._incoming[: 4 + length]
            self._take(body)
        return True

    def _send_rest(self):
        try:
            sent = self._channel.send(self._outgoing)
        except BlockingIOError:
            return
        except OSError:
            sent = len(self._outgoing)
        self._outgoing = self._outgoing[sent:]
        if not self._outgoing:
            self._loop.rewatch(self._channel.fileno(), READ)

    def _take(self, body):
        if self.answer.is_set:
            self._break("the runtime sent a frame that nobody asked for")
            return
        try:
            reply = decode(body)
        except BadReply as error:
            self._break(f"the runtime sent a frame that is not valid: {error}")
            return
        if reply.execution != self._expected or (reply.outcome == "ready") != (self._expected == 0):
            self._break("the runtime answered an execution that is not its own")
            return
        self._settle(reply)

    def _settle(self, answer):
        """Sets `answer`, and ends the activity that waits for it."""
        self.answer.set(answer)
        if self._ending is not None:
            self._ending.set("answered")

    def _exited(self):
        """The process ended; what it said before counts."""
        while self._channel.fileno() >= 0 and self._readable():
            pass
        self._settle("the runtime's process ended")

    def _break(self, reason):
        """A runtime that does not keep to its protocol is not listened to any more, and has to go."""
        self.is_broken = True
        self._close_channel()
        self._settle(reason)

    def _close_channel(self):
        self._incoming.clear()
        if self._channel.fileno() >= 0:
            self._loop.forget(self._channel.fileno())
            self._channel.close()


def _hidden_duplicate(channel):
    """A duplicate on a descriptor that cannot be guessed, above all that programs open."""
    highest = min(resource.getrlimit(resource.RLIMIT_NOFILE)[0], 4096) - 32
    lowest = min(_LOWEST_DESCRIPTOR, max(100, highest - 1))
    chosen = lowest + int.from_bytes(os.urandom(4)) % max(1, highest - lowest)
    return fcntl.fcntl(channel, fcntl.F_DUPFD_CLOEXEC, chosen)


def _passed(descriptors):
    """What `sendmsg` takes to pass descriptors on."""
    if not descriptors:
        return []
    return [(socket.SOL_SOCKET, socket.SCM_RIGHTS, struct.pack(f"{len(descriptors)}i", *descriptors))]

