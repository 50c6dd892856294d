"""The short way for plain executions, in C: see `sandbox/fast-path`. Without the library everything takes the usual way."""

import ctypes
import os
import stat

_LIBRARY = "/usr/local/lib/autolith/fast_path.so"
_EVENTS, _INPUT, _SENT, _REPLIED = range(4)
_CHILDREN_SIZE = 64
_DESCRIPTORS = (
    "loop", "channel", "memory", "threads", "children", "own_children", "kills",
    "output", "error", "output_writer", "error_writer", "workspace",
)  # fmt: skip


class _State(ctypes.Structure):
    """`struct fast_path` of `fast_path.h`."""

    _fields_ = [
        *((name, ctypes.c_int32) for name in _DESCRIPTORS),
        ("number", ctypes.c_uint32),
        ("epoch", ctypes.c_uint32),
        ("least_bytes", ctypes.c_int64),
        ("least_files", ctypes.c_int64),
        ("next_walk", ctypes.c_double),
        ("started", ctypes.c_double),
        ("input_size", ctypes.c_uint64),
        ("reply_size", ctypes.c_uint64),
        ("children_of_init", ctypes.c_char * _CHILDREN_SIZE),
        ("kills_text", ctypes.c_char * 256),
        ("input", ctypes.c_char * 65536),
        ("reply", ctypes.c_char * 65536),
    ]


class SentExecution:
    """An execution that was sent to its runtime already, `started` by the monotonic clock; `reply` is what came back, or empty."""

    __slots__ = ("started", "reply")

    def __init__(self, started, reply):
        self.started = started
        self.reply = reply


class FastPath:
    """Serves plain executions of the Python runtime while it rests and nothing else is to be done."""

    def __init__(self, supervisor, executions, function):
        self._supervisor = supervisor
        self._executions = executions
        self._function = function
        self._state = _State()

    @classmethod
    def load(cls, supervisor, executions):
        """The fast path, or None where the image has none or the host is not at the other end of a pipe."""
        # A pipe takes an answer as a whole or not at all, which no other file promises.
        if not stat.S_ISFIFO(os.fstat(1).st_mode) or not os.path.exists(_LIBRARY):
            return None
        function = ctypes.CDLL(_LIBRARY).fast_path
        function.argtypes = [ctypes.c_void_p, ctypes.c_double]
        return cls(supervisor, executions, function)

    def serve(self, seconds):
        """Serves until there is something else to do, no longer than `seconds` when they are not negative."""
        supervisor, state = self._supervisor, self._state
        runtime = supervisor.runtimes.live("python")
        if runtime is None or not self._prepare(runtime):
            return
        outcome = self._function(ctypes.addressof(state), seconds)
        supervisor.runtimes.count_until("python", state.number - 1)
        if state.kills_text:
            supervisor.set_oom_kills(state.kills_text)
        if outcome == _EVENTS:
            return
        if outcome != _INPUT:
            reply = _bytes(state, _State.reply, state.reply_size) if outcome == _REPLIED else b""
            self._executions.expect(SentExecution(state.started, reply))
        supervisor.host.take(_bytes(state, _State.input, state.input_size))

    def _prepare(self, runtime):
        """Fills in what the short way needs; false when it cannot be taken."""
        supervisor, state = self._supervisor, self._state
        outputs, status, children = runtime.resting_outputs(), runtime.status, supervisor.processes.child_list
        if outputs is None or not status.is_known or children.file is None or not supervisor.is_calm():
            return False
        text = os.pread(children.file, _CHILDREN_SIZE, 0)
        if len(text) >= _CHILDREN_SIZE or supervisor.processes.has_strays(supervisor.runtimes.pids()):
            return False
        state.children_of_init = text
        state.kills_text = b""
        state.loop, state.channel = supervisor.loop.descriptor, runtime.channel.descriptor
        state.memory, state.threads, state.children = status.memory, status.threads, status.children
        state.own_children, state.kills = children.file, supervisor.control_group.events_file
        state.output, state.error, state.output_writer, state.error_writer = outputs.descriptors()
        state.workspace, state.least_bytes, state.least_files, state.next_walk = supervisor.watchdog.bounds()
        state.number = supervisor.runtimes.last_number("python") + 1
        state.epoch = supervisor.runtimes.epoch
        return True


def _bytes(state, field, size):
    return ctypes.string_at(ctypes.addressof(state) + field.offset, size)
