"""What tests print through `sys.stdout` and `sys.stderr`."""

import io
import sys

from autolith_report.guarded import guarded

# Frames of this module are the runner's own.
__unittest = True
# As many as pytest's plugin keeps of each stream.
SHOWN_CHARS = 2_000


class Capture:
    """Keeps the end of what is written to the streams of this process, which stay the objects that they are.

    Only their `write` is looked over, so the text goes where it went before and nobody sees another stream. Streams that
    tests put in place of these, and what goes around `write` (descriptors, other processes), are left alone.
    """

    def __init__(self):
        self._tees = {}
        self._is_paused = False

    def attach(self):
        """Starts to listen."""
        for name in ("stdout", "stderr"):
            stream = getattr(sys, name, None)
            if isinstance(stream, io.TextIOBase) and all(stream is not tee.stream for tee in self._tees.values()):
                tee = _Tee(stream, self)
                if guarded(tee.attach):
                    self._tees[name] = tee

    def detach(self):
        """Leaves the streams as they were."""
        for tee in self._tees.values():
            guarded(tee.detach)
        self._tees = {}

    def aside(self, function, *args, **kwds):
        """Calls what may print for the runner, such as a dot for each test: that is not kept."""
        before, self._is_paused = self._is_paused, True
        try:
            return function(*args, **kwds)
        finally:
            self._is_paused = before

    def keeps(self):
        """False during the runner's own printing."""
        return not self._is_paused

    def take(self, when=""):
        """What was printed since the last call, as sections of a message; `when` ends their titles."""
        texts = [(name, tee.take()) for name, tee in self._tees.items()]
        return "".join("\n--- Captured %s%s ---\n%s" % (name, when, text) for name, text in texts if text.strip())


class _Tee:
    """The `write` of one stream."""

    def __init__(self, stream, capture):
        self.stream = stream
        self._keeps = capture.keeps
        self._text = ""
        self._own = self._theirs = None

    def attach(self):
        """Takes the place of the method in this one object. True when it could."""
        write, self._theirs = self.stream.write, vars(self.stream).get("write")

        def told(*args, **kwds):
            written = write(*args, **kwds)
            guarded(self._keep, *args)
            return written

        self._own = self.stream.write = told
        return True

    def detach(self):
        """Gives the method back, unless a test has put something else there."""
        own, self._own = self._own, None
        if vars(self.stream).get("write") is not own:
            return
        del self.stream.write
        if self._theirs is not None:
            self.stream.write = self._theirs

    def take(self):
        """The end of the text since the last call."""
        text, self._text = self._text, ""
        return text

    def _keep(self, text):
        if self._own is not None and self._keeps():
            # Joined, not added: a kind of text of its own may say otherwise what `+` does.
            self._text = "".join((self._text, text))[-SHOWN_CHARS:]
