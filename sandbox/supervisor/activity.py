"""One `execute` or `run` while it is busy: what tells it to end, and what it prints."""

from event_loop import Latch
from frames import MAX_HEADER, encode_header

_NO_OUTPUT = {"text": "", "droppedBytes": 0}


class Activity:
    """`ending` is set with the first of `timeout`, `interrupted`, `output-limit`, or what its owner sets."""

    __slots__ = ("request_id", "ending", "_loop", "_limits", "_timer", "_outputs", "_notes")

    def __init__(self, loop, request_id, limits):
        self.request_id = request_id
        self.ending = Latch(loop)
        self._loop = loop
        self._limits = limits
        self._timer = None
        self._outputs = None
        self._notes = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        """Stops the clock and closes the outputs that `leave_outputs` did not hand over."""
        if self._timer is not None:
            self._timer.cancel()
        self.close_outputs()

    def set_deadline(self, seconds):
        """Starts the clock."""
        self._timer = self._loop.later(seconds, self._time_is_up)

    def capture(self, outputs):
        """Takes outputs over, and captures what comes out of them."""
        self._outputs = outputs
        outputs.begin(self._limits, self._flooded)

    def note(self, text):
        """Adds a line of the supervisor's own to the end of standard error."""
        self._notes = [*(self._notes or ()), f"[{text}]"]

    def exceed(self, text):
        """Ends the activity for taking too much."""
        if not self.ending.is_set:
            self.note(text)
        self.ending.set("output-limit")

    def collect(self):
        """Takes what is in the pipes, the last of what counts."""
        if self._outputs is not None:
            self._outputs.collect()

    def close_outputs(self):
        """Ends the capture. What was captured is still known."""
        if self._outputs is not None:
            self._outputs.close()

    def leave_outputs(self):
        """Hands over what `capture` took, or None."""
        outputs, self._outputs = self._outputs, None
        return outputs

    def result(self, header):
        """The `done` header with both outputs, encoded, and no longer than a header may be."""
        share = 1.0
        while True:
            header["stdout"], header["stderr"] = self._texts(share)
            encoded = encode_header(header)
            if len(encoded) <= MAX_HEADER or share < 0.001:
                return encoded
            share /= 2

    def _texts(self, share):
        output, error = (_NO_OUTPUT, _NO_OUTPUT) if self._outputs is None else self._outputs.texts(share)
        if self._notes is not None:
            text = error["text"]
            separator = "\n" if text and not text.endswith("\n") else ""
            error = {**error, "text": text + separator + "\n".join(self._notes)}
        return output, error

    def _time_is_up(self):
        self.ending.set("timeout")

    def _flooded(self):
        self.exceed(f"the output was longer than {self._limits.output_total} bytes")
        self._outputs.discard_rest()
