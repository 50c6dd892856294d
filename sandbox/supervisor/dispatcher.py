"""Takes requests in order, except `interrupt`, and answers each with exactly one `done` or `error` frame."""

import os
import sys
from collections import deque

from capture import Capture
from event_loop import Latch
from executions import Executions
from fast_path import FastPath
from file_verbs import FileVerbs
from frames import ProtocolError
from hardening import limit_file_size
from request_fields import RequestError, field, refusal
from runs import Runs

PROTOCOL = 1
_PROTOCOL_ERROR_STATUS = 70
_BACKLOG_BYTES = 8 << 20
_VERSION_TIMEOUT = 10
_PYTHON = ".".join(map(str, sys.version_info[:3]))
_VERBS = {
    "hello", "put", "put-file", "put-end", "remove", "stat", "get", "execute", "run", "interrupt", "sweep", "seal",
    "bye",
}  # fmt: skip


class Dispatcher:
    """The session with the host, from `hello` to `bye`."""

    def __init__(self, supervisor, hardening):
        self._supervisor = supervisor
        self._hardening = hardening
        self._backlog = deque()
        self._backlog_bytes = 0
        self._is_idle = True
        self._arrival = Latch(supervisor.loop)
        files, executions = FileVerbs(supervisor), Executions(supervisor)
        self._handlers = {
            "hello": self._hello, "remove": files.remove, "stat": files.stat, "get": files.get,
            "put": lambda request: files.put(request, self._next_frame),
            "execute": executions.execute, "run": Runs(supervisor).run, "sweep": self._sweep,
            "seal": self._seal, "bye": self._bye,
        }  # fmt: skip
        self._fast_path = FastPath.load(supervisor, executions)
        if self._fast_path is not None:
            supervisor.loop.before_wait(self._before_wait)

    def accept(self, header, binary):
        """Takes one frame from the host. Raises ProtocolError."""
        request_id, verb = header.get("id"), header.get("verb")
        if type(request_id) is not int or request_id <= 0:
            raise ProtocolError("a frame without a positive id")
        if verb not in _VERBS:
            raise ProtocolError(f"unknown verb {str(verb)[:100]!r}", request_id)
        if verb == "interrupt":
            self._supervisor.interrupt(header.get("target"))
            self._supervisor.host.send({"id": request_id, "event": "done"})
            return
        self._backlog.append((header, binary))
        self._backlog_bytes += len(binary)
        if self._backlog_bytes > _BACKLOG_BYTES:
            self._supervisor.host.pause()
        if self._is_idle:
            self._is_idle = False
            self._supervisor.loop.start(self._serve())
        else:
            self._arrival.set()

    async def _serve(self):
        """Answers requests as long as there are any."""
        while self._backlog:
            header, _ = self._take()
            try:
                await self._handle(header)
            except ProtocolError as error:
                self.fail(error)
                return
            self._supervisor.count_oom_kills()
        self._is_idle = True

    def fail(self, error):
        """Answers a protocol error, and ends the supervisor."""
        self._supervisor.loop.start(self._leave(error))

    async def leave(self, status):
        """Kills everything and ends the process."""
        try:
            await self._supervisor.sweep()
        except RequestError:
            pass
        os._exit(status)

    def _before_wait(self, seconds):
        if self._is_idle and seconds:
            self._fast_path.serve(seconds)

    async def _leave(self, error):
        self._supervisor.host.send(_error_frame(error.request_id, "bad-request", str(error)))
        await self._supervisor.host.flushed()
        await self.leave(_PROTOCOL_ERROR_STATUS)

    async def _next_frame(self):
        while not self._backlog:
            self._arrival = Latch(self._supervisor.loop)
            await self._arrival
        return self._take()

    def _take(self):
        header, binary = self._backlog.popleft()
        self._backlog_bytes -= len(binary)
        if self._backlog_bytes <= _BACKLOG_BYTES:
            self._supervisor.host.resume()
        return header, binary

    async def _handle(self, request):
        handler = self._handlers.get(request["verb"])
        if handler is None:
            raise ProtocolError(f"{request['verb']} without put", request["id"])
        try:
            await handler(request)
        except RequestError as error:
            self._supervisor.host.send(_error_frame(request["id"], error.code, str(error)))
        except OSError as error:
            refused = refusal(error, request["verb"])
            self._supervisor.host.send(_error_frame(request["id"], refused.code, str(refused)))
        except ProtocolError:
            raise
        except Exception as error:
            sys.excepthook(type(error), error, error.__traceback__)
            self._supervisor.host.send(_error_frame(request["id"], "internal", f"{type(error).__name__}: {error}"))

    async def _hello(self, request):
        supervisor = self._supervisor
        if request.get("protocol") != PROTOCOL:
            raise RequestError("bad-request", f"hello: this supervisor speaks protocol {PROTOCOL} only")
        supervisor.limits.update(field({"limits": {}, **request}, "limits", dict))
        limit_file_size(supervisor.limits.workspace_bytes)
        use = request.get("layer", "none")
        if use not in ("none", "read", "make"):
            raise RequestError("bad-request", "hello: layer is none, read or make")
        manifest = supervisor.layer.open(use)
        output = Capture(100, 0)
        argv = ["node", "--version"]
        code = await supervisor.launcher.run_briefly(argv, "/", supervisor.environment, output, _VERSION_TIMEOUT)
        node = output.output()["text"].strip().removeprefix("v") if code == 0 else ""
        supervisor.host.send({
            "id": request["id"], "event": "done", "protocol": PROTOCOL, "python": _PYTHON,
            "node": node, "cgroup": supervisor.control_group.version,
            "memoryLimit": supervisor.control_group.memory_limit, "hardening": self._hardening,
            "layer": manifest,
        })  # fmt: skip

    async def _sweep(self, request):
        killed = await self._supervisor.sweep()
        epoch = self._supervisor.runtimes.epoch
        self._supervisor.host.send({"id": request["id"], "event": "done", "killed": killed, "epoch": epoch})

    async def _seal(self, request):
        supervisor, key = self._supervisor, field(request, "key", str)
        if supervisor.layer.use != "make":
            raise RequestError("bad-request", "seal: there is no layer to be made")
        await supervisor.sweep()
        try:
            answer = {**supervisor.layer.seal(key), "problem": None}
        except OSError as error:
            answer = {"key": key, "files": 0, "bytes": 0, "problem": str(error)}
        supervisor.host.send({"id": request["id"], "event": "done", **answer})

    async def _bye(self, request):
        await self._supervisor.sweep()
        self._supervisor.host.send({"id": request["id"], "event": "done"})
        await self._supervisor.host.flushed()
        os._exit(0)


def _error_frame(request_id, code, message):
    return {"id": request_id, "event": "error", "code": code, "message": message[:2000]}
