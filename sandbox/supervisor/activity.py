"""One `execute` or `run` while it is busy: what tells it to end, and what it prints."""

import os
import select

from capture import Capture, Pump
from event_loop import Latch
from frames import MAX_HEADER, encode_header


class Activity:
    """`ending` is set with the first of `timeout`, `interrupted`, `output-limit`, or what its owner sets."""

    def __init__(self, loop, request_id, limits):
        self._loop = loop
        self._limits = limits
        self._timer = None
        self._pumps = []
        self._writers = []
        self._named = []
        self._notes = []
        self.request_id = request_id
        self.ending = Latch(loop)
        self.stdout = Capture(limits.output_head, limits.output_tail)
        self.stderr = Capture(limits.output_head, limits.output_tail)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        """Stops the clock and closes what `leave_pumps` did not hand over."""
        for pump in self.leave_pumps():
            pump.close()

    def set_deadline(self, seconds):
        """Starts the clock."""
        self._timer = self._loop.later(seconds, lambda: self.ending.set("timeout"))

    def read_pipes(self, pipes):
        """Starts to capture from pipes, and owns them from now on; returns the descriptors to write to."""
        for capture, (pump, writer) in zip((self.stdout, self.stderr), pipes):
            self._capture(pump, capture)
            self._writers.append(writer)
        return self._writers

    def close_writers(self):
        """Closes what `read_pipes` returned: from now on the pipes end with whoever else holds them."""
        for writer in self._writers:
            os.close(writer)
        self._writers = []

    def open_named_pipes(self, folder):
        """Starts to capture, for a program that can only open its output by a path; returns the paths."""
        for capture in (self.stdout, self.stderr):
            path = os.path.join(folder, f"output-{os.urandom(16).hex()}")
            os.mkfifo(path, 0o600)
            reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
            self._capture(Pump(self._loop, reader), capture)
            # Held until the end: a pipe without writers would count as complete before the program has opened it.
            self._named.append((path, os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)))
        return [path for path, _ in self._named]

    def note(self, text):
        """Adds a line of the supervisor's own to the end of standard error."""
        self._notes.append(f"[{text}]")

    def exceed(self, text):
        """Ends the activity for taking too much."""
        if not self.ending.is_set:
            self.note(text)
        self.ending.set("output-limit")

    def collect(self):
        """Takes what is in the pipes, the last of what counts."""
        readable = select.poll()
        pumps = {pump.descriptor: pump for pump in self._pumps if pump.is_open}
        for descriptor in pumps:
            readable.register(descriptor, select.POLLIN)
        # Most often nothing is, and one question costs less than an exception for each.
        for descriptor, _ in readable.poll(0):
            pumps[descriptor].drain()

    def leave_pipes(self):
        """Ends the capture; hands over the pipes of `read_pipes` that are still open at both ends."""
        pipes = list(zip(self._pumps, self._writers))
        self._pumps, self._writers = self._pumps[len(pipes) :], []
        return pipes

    def leave_pumps(self):
        """Ends the capture; hands over the pumps of pipes that somebody still holds open, and closes the others."""
        if self._timer is not None:
            self._timer.cancel()
        self.close_writers()
        for path, writer in self._named:
            os.close(writer)
            try:
                os.unlink(path)
            except OSError:
                pass
        self._named = []
        pumps, self._pumps = self._pumps, []
        return [pump for pump in pumps if pump.discard_rest()]

    def result(self, header):
        """The `done` header with both outputs, encoded, and no longer than a header may be."""
        share = 1.0
        while True:
            header["stdout"] = self.stdout.output(share)
            header["stderr"] = self._stderr(share)
            encoded = encode_header(header)
            if len(encoded) <= MAX_HEADER or share < 0.001:
                return encoded
            share /= 2

    def _capture(self, pump, capture):
        pump.fill(capture, self._limits.output_total, self._flooded)
        self._pumps.append(pump)

    def _stderr(self, share):
        output = self.stderr.output(share)
        if not self._notes:
            return output
        text = output["text"]
        separator = "\n" if text and not text.endswith("\n") else ""
        return {**output, "text": text + separator + "\n".join(self._notes)}

    def _flooded(self):
        self.exceed(f"the output was longer than {self._limits.output_total} bytes")
        for pump in self._pumps:
            pump.discard_rest()
