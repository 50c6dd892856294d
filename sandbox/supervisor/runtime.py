"""One live runtime: the driver process of a language, and what it says."""

import os

from capture import Capture, Pump
from driver_channel import DriverChannel
from driver_reply import BadReply, decode
from driver_status import DriverStatus
from event_loop import Latch
from outputs import Outputs

# Exit status by which a driver says that it lost its channel; not a status that a program would choose.
CHANNEL_LOST = 97
_BOOT_OUTPUT = 4096
_EOF_WAIT = 1.0


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
        self._outputs = None
        reader, writer = os.pipe2(os.O_CLOEXEC)
        self.channel = DriverChannel(loop)
        descriptor = self.channel.driver_end()
        try:
            self.child = processes.spawn(
                [*command, str(descriptor)], cwd=places.workspace, env=places.environment(), stdout=writer,
                stderr=writer, pass_fds=(descriptor,),
            )  # fmt: skip
        except OSError:
            self.channel.close()
            os.close(reader)
            raise
        finally:
            os.close(descriptor)
            os.close(writer)
        self._boot_pump = Pump(loop, reader)
        self._boot_pump.fill(self.boot, _BOOT_OUTPUT * 64, self._boot_pump.discard_rest)
        self.status = DriverStatus(self.child.pid)
        self.channel.listen(self._take, self._break, self._closed)
        self.child.exited.then(self._exited)

    def execute(self, number, code, activity):
        """Sends one execution, and the pipes' ends unless the driver has them; sets up `answer` for it."""
        self._expect(number, activity)
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

    def resting_outputs(self):
        """What `keep` took, while it can be used again and nothing is on its way in the channel; else None."""
        outputs = self._outputs
        return outputs if outputs is not None and outputs.is_whole and self.channel.is_calm else None

    def resume(self, number, activity, reply):
        """Goes on with an execution that was sent to resting outputs already; `reply` is what has come back so far."""
        self._expect(number, activity)
        outputs, self._outputs = self._outputs, None
        activity.capture(outputs)
        if reply:
            self.channel.take(reply)

    def resident_bytes(self):
        """Resident memory of the driver process; 0 when it is gone."""
        return self.status.resident_bytes()

    def is_alone(self):
        """True when the driver process has neither children nor threads that go on."""
        return not self.is_broken and self.status.is_alone()

    def keep(self, outputs):
        """Takes the outputs of an execution for the next one; only while the runtime is alone."""
        outputs.rest()
        self._outputs = outputs

    def close(self):
        """Closes what belongs to a process that has ended, or is about to be killed."""
        self.channel.close()
        self._boot_pump.drain()
        self._boot_pump.close()
        self.status.close()
        if self._outputs is not None:
            self._outputs.close()
            self._outputs = None

    def _expect(self, number, activity):
        self.answer = Latch(self._loop)
        self._ending = activity.ending
        self._expected = number
        self.has_state = True

    def _send(self, number, text, descriptors):
        try:
            self.channel.send(number, text, descriptors)
        except OSError as error:
            self._settle(f"the channel to the runtime is closed: {error.strerror}")

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
        self.channel.drain()
        self._settle("the runtime's process ended")

    def _closed(self):
        self.is_broken = True
        self._loop.later(_EOF_WAIT, lambda: self._settle("the runtime closed its channel"))

    def _break(self, reason):
        """A runtime that does not keep to its protocol is not listened to any more, and has to go."""
        self.is_broken = True
        self.channel.close()
        self._settle(reason)
