"""Every process in the container: starting, reaping, and killing without needing to fork."""

import os
import signal
import subprocess
import time
from collections import namedtuple

from event_loop import READ, Latch
from process_table import ChildList, outsiders

_POLL = 0.001
_STRAY_DEADLINE = 1.0
_SWEEP_DEADLINE = 10.0
_QUICK_ROUNDS = 4


class Exit(namedtuple("Exit", ("code", "signal", "max_resident"))):
    """How a process ended: by itself with `code`, or by signal number `signal`; the other one is None."""

    __slots__ = ()


def signal_name(number):
    """The name of a signal, such as `SIGKILL`."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"SIG{number}"


class Child:
    """A process started by the supervisor, leader of its own session."""

    def __init__(self, loop, pid):
        self.pid = pid
        self.exited = Latch(loop)

    def signal(self, number):
        """Signals the whole process group, as long as its leader has not been reaped."""
        if not self.exited.is_set:
            try:
                os.killpg(self.pid, number)
            except (ProcessLookupError, PermissionError):
                pass


class Processes:
    """Starts children, reaps them and all orphans, and kills whatever else there is."""

    def __init__(self, loop, oom_score):
        self._loop = loop
        self._oom_score = oom_score
        self._children = {}
        self.child_list = ChildList()
        self._reaped = 0
        receiver, sender = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._wakeup = receiver
        signal.set_wakeup_fd(sender, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        loop.watch(receiver, READ, self._woken)

    def spawn(self, argv, *, cwd, env, stdout, stderr, pass_fds=()):
        """Starts a program in its own session with nothing on standard input. Raises OSError or ValueError."""
        with self._oom_score.raised():
            process = subprocess.Popen(
                argv, cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr,
                pass_fds=pass_fds, start_new_session=True,
            )  # fmt: skip
        # Reaping is done below for all processes at once; this keeps `subprocess` from waiting for it too.
        process.returncode = 0
        child = Child(self._loop, process.pid)
        self._children[process.pid] = child
        return child

    def signal(self, pid, number):
        """Signals one process that has not been reaped."""
        _kill(pid, number)

    def reap(self):
        """Takes the exit status of all that has ended; true when no child is left."""
        while True:
            try:
                pid, status, usage = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                return True
            if pid == 0:
                return False
            self._reaped += 1
            child = self._children.pop(pid, None)
            if child is not None:
                code = os.waitstatus_to_exitcode(status)
                exit_code, number = (code, None) if code >= 0 else (None, -code)
                child.exited.set(Exit(exit_code, number, usage.ru_maxrss * 1024))

    def has_strays(self, keep):
        """True when there are children besides those in `keep`, dead ones included: `kill_strays` is due."""
        return not keep.issuperset(self.child_list.read())

    async def kill_strays(self, keep):
        """Kills all processes but those in `keep` and their descendants. False when they multiply too fast."""
        deadline = time.monotonic() + _STRAY_DEADLINE
        rounds = 0
        while True:
            self.reap()
            if not self.has_strays(keep):
                return True
            if time.monotonic() > deadline:
                return False
            strays = outsiders(os.getpid(), keep)
            rounds += 1
            # Frozen processes hold their places below the limit of processes, which starves a fork bomb.
            freeze = rounds > _QUICK_ROUNDS and any(not stopped for stopped in strays.values())
            for pid in strays:
                _kill(pid, signal.SIGSTOP if freeze else signal.SIGKILL)
            if not freeze:
                await self._loop.sleep(_POLL)

    async def sweep(self):
        """Kills everything but this process; returns how many ended, or None when some could not be killed."""
        before = self._reaped
        deadline = time.monotonic() + _SWEEP_DEADLINE
        while True:
            self.kill_everything()
            if self.reap():
                return self._reaped - before
            if time.monotonic() > deadline:
                return None
            await self._loop.sleep(_POLL)

    def kill_everything(self):
        """One SIGKILL for each process but this one. An ordinary process touches its own descendants only."""
        if os.getpid() == 1:
            _kill(-1, signal.SIGKILL)
        else:
            for pid in outsiders(os.getpid(), frozenset()):
                _kill(pid, signal.SIGKILL)

    def _woken(self):
        try:
            os.read(self._wakeup, 4096)
        except BlockingIOError:
            pass
        self.reap()


def _kill(pid, number):
    try:
        os.kill(pid, number)
    except (ProcessLookupError, PermissionError):
        pass
