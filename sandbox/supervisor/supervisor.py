"""What all verbs share: the loop, the channel to the host, processes, limits, and the end of an activity."""

import os

from activity import Activity
from control_group import oom_kills_in
from emptying import empty
from launcher import Launcher
from layer import Layer
from repository import make_repository
from request_fields import RequestError
from runtimes import Runtimes
from settings import Limits
from watchdog import Watchdog


class Supervisor:
    """Owns everything in the container. `interrupt` may be called at any time."""

    def __init__(self, loop, host, processes, control_group, places):
        self.loop = loop
        self.host = host
        self.processes = processes
        self.control_group = control_group
        self.places = places
        self.environment = places.environment()
        self.limits = Limits()
        self.launcher = Launcher(loop, processes)
        self.runtimes = Runtimes(self)
        self.layer = Layer(self)
        self.watchdog = Watchdog(loop, places.workspace, self.limits)
        self._activity = None
        self._interrupted = set()
        self.count_oom_kills()

    def count_oom_kills(self):
        """Counts between requests, while nobody waits, what `has_oom_kill` compares with."""
        self._oom_kills = self.control_group.oom_kills()

    def set_oom_kills(self, events):
        """Does the same with what the group's events have said."""
        self._oom_kills = oom_kills_in(events)

    def is_calm(self):
        """True when nothing is busy, on its way, or told to end before it begins."""
        return self._activity is None and not self._interrupted and self.host.is_calm

    def has_oom_kill(self):
        """True when the kernel has killed a process for want of memory since `count_oom_kills`."""
        return self.control_group.oom_kills() > self._oom_kills

    def interrupt(self, target):
        """Interrupts the activity of a request, also when it has not begun."""
        if self._activity is not None and self._activity.request_id == target:
            self._activity.ending.set("interrupted")
        else:
            self._interrupted.add(target)

    def activity(self, request_id):
        """What an `execute` or `run` with this id is while it is busy; to be used in a `with`."""
        return Activity(self.loop, request_id, self.limits)

    def watched(self, activity):
        """In a `with`: the activity is the one that can be interrupted, and ends when the workspace grows too large."""
        return _Watched(self, activity)

    def begin(self, activity):
        """Lets `interrupt` end this activity; one that came before is obeyed."""
        self._activity = activity
        if activity.request_id in self._interrupted:
            activity.ending.set("interrupted")

    def end(self, activity):
        """Undoes `begin`."""
        self._activity = None
        if self._interrupted:
            self._interrupted = {target for target in self._interrupted if target > activity.request_id}

    async def settle(self, activity, header):
        """After an activity: kills what it left behind, takes what it printed, and looks at what it wrote.

        True when there was something to kill.
        """
        keep = self.runtimes.pids()
        has_strays = self.processes.has_strays(keep)
        if has_strays and not await self.processes.kill_strays(keep):
            await self.sweep()
            activity.note("processes multiplied faster than they could be killed: the runtimes were killed too")
        activity.collect()
        over = await self.watchdog.excess() if self.watchdog.is_due() else None
        if over is not None and header["status"] != "output-limit":
            header["status"] = "output-limit"
            activity.note(over)
        return has_strays

    def answer(self, activity, header):
        """Sends the `done` frame of an activity."""
        self.host.send(activity.result({"id": activity.request_id, "event": "done", **header}))

    async def sweep(self):
        """Kills everything else; returns how many processes ended. Raises RequestError when some did not."""
        self.runtimes.discard_all()
        killed = await self.processes.sweep()
        if killed is None:
            raise RequestError("internal", "some processes cannot be killed")
        return killed

    async def reset(self):
        """Sweeps, and empties the folders; returns a RequestError that says what went wrong, or None."""
        try:
            await self.sweep()
            if self.layer.copy is None:
                empty(self.places.workspace)
            else:
                self.layer.copy.take_aside()
            for folder in (self.places.temporary, self.places.scratch):
                empty(folder)
            os.mkdir(self.places.home, 0o755)
        except RequestError as error:
            return error
        except OSError as error:
            return RequestError("internal", f"the workspace cannot be emptied: {error}")
        return None

    async def make_repository(self):
        """Commits the workspace, and lays what was installed beside it. Raises OSError, RequestError."""
        problem = await make_repository(self.launcher, self.environment, self.places.workspace)
        if problem is not None:
            raise RequestError("internal", problem)
        if self.layer.copy is not None:
            await self.layer.copy.bring_back()


class _Watched:
    """The `with` of `Supervisor.watched`; a generator would take several times as long."""

    __slots__ = ("_supervisor", "_activity")

    def __init__(self, supervisor, activity):
        self._supervisor = supervisor
        self._activity = activity

    def __enter__(self):
        self._supervisor.begin(self._activity)
        self._supervisor.watchdog.watch(self._activity)

    def __exit__(self, *_):
        self._supervisor.watchdog.watch(None)
        self._supervisor.end(self._activity)
