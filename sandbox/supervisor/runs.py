"""The verb `run`: a process from its start to the last of what it left behind."""

import signal
import time

from outputs import Outputs
from process_table import python_stack_dumpers
from processes import signal_name
from request_fields import RequestError, field, seconds, texts
from run_files import RunFiles

_STACK_LIMIT = 16 * 1024
_STACK_WAIT = 0.3
_STACK_POLL = 0.02
_DEATH_WAIT = 5.0
_CANNOT_START = 127


class Runs:
    """Runs processes one at a time."""

    def __init__(self, supervisor):
        self._supervisor = supervisor
        self._loop = supervisor.loop

    async def run(self, request):
        """Answers a `run` request. Raises RequestError."""
        argv, cwd, variables, timeout = _checked(request)
        supervisor = self._supervisor
        files = RunFiles(supervisor.places.scratch, field(request, "report", bool), _input(request))
        with files, supervisor.activity(request["id"]) as activity:
            env = {**supervisor.environment, **variables, **files.environment()}
            if "PATH" in variables:
                env["PATH"] = supervisor.places.search_path(variables["PATH"])
            started = time.monotonic()
            oom_kills = supervisor.control_group.oom_kills()
            child = self._start(activity, argv, cwd, env)
            if child is None:
                header, stack = _header("exited", exitCode=_CANNOT_START), None
            else:
                stack, ended = await self._until_dead(activity, child, timeout, files)
                header = _ending(activity, ended, supervisor.control_group.oom_kills() > oom_kills)
            header["stack"] = stack
            header["durationMs"] = round((time.monotonic() - started) * 1000, 3)
            await supervisor.settle(activity, header)
            await supervisor.runtimes.notice_deaths()
            activity.close_outputs()
            header["report"] = await self._send_report(request["id"], files)
        supervisor.answer(activity, header)

    def _start(self, activity, argv, cwd, env):
        outputs = Outputs.anonymous(self._loop)
        activity.capture(outputs)
        try:
            out, error = outputs.writers
            return self._supervisor.processes.spawn(argv, cwd=cwd, env=env, stdout=out, stderr=error)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            activity.note(f"cannot start {argv[0]}: {reason}")
            return None
        finally:
            outputs.close_writers()

    async def _until_dead(self, activity, child, timeout, files):
        """Waits for the end; returns the stack or None, and how the process ended or None when it did not."""
        child.exited.then(lambda: activity.ending.set("exited"))
        activity.set_deadline(timeout)
        stack = None
        with self._supervisor.watched(activity):
            reason = await activity.ending
            if reason == "timeout":
                stack = await self._ask_for_stacks(child.pid, files)
        if reason != "exited":
            child.signal(signal.SIGKILL)
            self._loop.later(_DEATH_WAIT, lambda: child.exited.set(None))
        return stack, await child.exited

    async def _ask_for_stacks(self, session, files):
        if not files.environment():
            return None
        processes = python_stack_dumpers(session)
        for pid in processes:
            self._supervisor.processes.signal(pid, signal.SIGUSR1)
        deadline = time.monotonic() + _STACK_WAIT
        text, before = b"", None
        while processes and time.monotonic() < deadline and (not text or text != before):
            await self._loop.sleep(_STACK_POLL)
            before, text = text, files.stacks(_STACK_LIMIT)
        return text.decode("utf-8", "backslashreplace") or None

    async def _send_report(self, request_id, files):
        supervisor = self._supervisor
        with files.report() as report:
            if report.kind != "file" or report.size == 0:
                return "absent"
            if report.size > supervisor.limits.report_bytes:
                return "too-large"
            for chunk in report.chunks():
                supervisor.host.send({"id": request_id, "event": "data", "part": "report"}, chunk)
                await supervisor.host.room()
        return "present"


def _checked(request):
    argv, cwd, variables = texts(request, "argv"), field(request, "cwd", str), field(request, "env", dict)
    if not argv or not cwd.startswith("/") or "\0" in cwd:
        raise RequestError("bad-request", "run: argv is empty or cwd is not absolute")
    for name, value in variables.items():
        if not isinstance(value, str) or not name or "=" in name or "\0" in name + value:
            raise RequestError("bad-request", "run: env is not a map of names to strings")
    return argv, cwd, variables, seconds(request)


def _input(request):
    value = request.get("input")
    if value is not None and not isinstance(value, str):
        raise RequestError("bad-request", "run: input is not a string")
    return value


def _header(status, **fields):
    return {"status": status, "exitCode": None, "signal": None, "memoryBytes": 0, **fields}


def _ending(activity, ended, is_oom):
    if ended is None:
        return _header("lost")
    reason = activity.ending.value
    header = _header(reason, memoryBytes=ended.max_resident)
    if reason == "exited" and ended.signal is not None:
        killed = ended.signal == signal.SIGKILL
        header["status"] = "oom" if killed and is_oom else "signalled"
        header["signal"] = signal_name(ended.signal)
    elif reason == "exited":
        header["exitCode"] = ended.code
    return header
