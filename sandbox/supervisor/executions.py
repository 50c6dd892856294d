"""The verb `execute`: one piece of code in a live runtime."""

import signal
import time

from driver_reply import Reply
from event_loop import Latch
from processes import signal_name
from request_fields import RequestError, field, seconds
from runtime import CHANNEL_LOST
from runtimes import LANGUAGES

_GRACE = 0.9
_INTERRUPTS = 3
_DUMP_WAIT = 0.1
_DEATH_WAIT = 5.0
_KEPT_WRITERS = 32


class Executions:
    """Executes pieces of code one at a time."""

    def __init__(self, supervisor):
        self._supervisor = supervisor
        self._loop = supervisor.loop
        self._late = []
        self._sent = None

    def expect(self, sent):
        """Says that the next request was sent to its runtime already."""
        self._sent = sent

    async def execute(self, request):
        """Answers an `execute` request. Raises RequestError."""
        language, code, timeout = field(request, "language", str), field(request, "code", str), seconds(request)
        if language not in LANGUAGES:
            raise RequestError("bad-request", f"execute: unknown language {language[:100]!r}")
        supervisor = self._supervisor
        with supervisor.activity(request["id"]) as activity:
            with supervisor.watched(activity):
                runtime = supervisor.runtimes.live(language) or await supervisor.runtimes.start(language, activity)
                if runtime is None:
                    header = _header("interrupted" if activity.ending.value == "interrupted" else "lost")
                else:
                    header = await self._in_runtime(runtime, activity, code, timeout)
            # Asked in this order: what a child of the driver leaves behind when it ends becomes a stray.
            is_alone = runtime is not None and runtime.is_alone()
            is_alone = not await supervisor.settle(activity, header) and is_alone
            header["epoch"] = supervisor.runtimes.epoch
            supervisor.answer(activity, header)
            # From here on nobody waits.
            outputs = activity.leave_outputs()
            if is_alone:
                runtime.keep(outputs)
            elif outputs is not None:
                self._keep_reading(outputs.leave())

    async def _in_runtime(self, runtime, activity, code, timeout):
        if activity.ending.is_set:
            return _header(activity.ending.value)
        supervisor = self._supervisor
        sent, self._sent = self._sent, None
        number, now = supervisor.runtimes.number(runtime.language), time.monotonic()
        if sent is None:
            started = now
            runtime.execute(number, code, activity)
        else:
            started = sent.started
            runtime.resume(number, activity, sent.reply)
        answer = runtime.answer
        activity.set_deadline(timeout - (now - started))
        reason = await activity.ending
        if reason in ("timeout", "interrupted"):
            await self._interrupt(runtime, answer)
        duration = time.monotonic() - started
        if reason != "output-limit" and isinstance(answer.value, Reply):
            header = _replied(answer.value, reason)
            header["memoryBytes"] = runtime.resident_bytes()
        else:
            header = await self._without_reply(runtime, activity, answer)
        header["durationMs"] = round(duration * 1000, 3)
        return header

    async def _interrupt(self, runtime, answer):
        """Asks the runtime to stop, and when it does not, where it hangs. It has answered then, or is to be killed."""
        # More than once: a runtime that has not begun yet forgets it, and code may be unable to take the first.
        for _ in range(_INTERRUPTS):
            runtime.child.signal(signal.SIGINT)
            if await self._answered(answer, _GRACE / _INTERRUPTS):
                return
        if runtime.language == "python":
            self._supervisor.processes.signal(runtime.child.pid, signal.SIGUSR1)
            await self._answered(answer, _DUMP_WAIT)

    async def _answered(self, answer, wait):
        over = Latch(self._loop)
        timer = self._loop.later(wait, over.set)
        answer.then(over.set)
        await over
        timer.cancel()
        return answer.is_set

    async def _without_reply(self, runtime, activity, answer):
        """The runtime ended, broke its protocol, or must be killed: its state is gone in any case."""
        had_ended = runtime.child.exited.is_set
        self._supervisor.runtimes.discard(runtime)
        self._loop.later(_DEATH_WAIT, lambda: runtime.child.exited.set(None))
        ended = await runtime.child.exited
        header = _header(activity.ending.value)
        if header["status"] != "answered":
            activity.note(f"the {runtime.language} runtime was killed; its variables are gone")
            return header
        is_oom = self._supervisor.has_oom_kill()
        header["status"], reason = _death(ended if had_ended else None, is_oom, answer.value)
        activity.note(f"{reason}; the {runtime.language} runtime's variables are gone")
        return header

    def _keep_reading(self, pumps):
        """Children of a runtime may go on writing after their execution: it is read, so that they live, and dropped."""
        self._late = [pump for pump in self._late if pump.is_open]
        self._late += pumps
        while len(self._late) > _KEPT_WRITERS:
            self._late.pop(0).close()


def _header(status):
    return {
        "status": status, "value": None, "exception": None, "memoryBytes": 0, "durationMs": 0, "stale": [],
        "background": [],
    }  # fmt: skip


def _replied(reply, reason):
    _, outcome, value, exception, stale, background = reply
    if reason == "answered":
        # Code that raises KeyboardInterrupt by itself was not interrupted.
        reason = "error" if outcome == "interrupted" else outcome
    return {"status": reason, "value": value, "exception": exception, "stale": stale, "background": background}


def _death(ended, is_oom, answer):
    if ended is None:
        return "lost", answer
    if ended.code == CHANNEL_LOST:
        return "lost", "the runtime lost its channel"
    if ended.signal is None:
        return "exited", f"the process exited with status {ended.code}"
    if is_oom and ended.signal == signal.SIGKILL:
        return "oom", "the process was killed for want of memory"
    return "signalled", f"the process died by {signal_name(ended.signal)}"
