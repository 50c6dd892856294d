"""Watches how much the workspace holds, in bytes on disk and in files, while something runs."""

import os
import time

from deleted_files import deleted_bytes
from event_loop import Latch
from process_table import outsiders

_TICK = 0.25
# A walk may take one part in this many of the time, so that a large workspace does not cost its owner the processor.
_PAUSE_FACTOR = 20
_LONGEST_PAUSE = 10.0
_ENTRIES_AT_ONCE = 500


class Watchdog:
    """Walks the workspace now and then, and at once when the file system has lost more room than is left to it."""

    def __init__(self, loop, root, limits):
        self._loop = loop
        self._root = root
        self._folder = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        self._limits = limits
        self._activity = None
        self._timer = None
        self._walk_over = None
        self._next_walk = 0.0
        self._seen = (0, 0)
        self._free = self._free_room()

    def watch(self, activity):
        """Ends this activity when the workspace is over a cap; with None there is nothing to watch."""
        self._activity = activity
        if activity is not None and self._timer is None:
            self._timer = self._loop.later(_TICK, self._tick)

    def is_due(self):
        """True when, after an activity, there is reason to count."""
        return self._has_grown() or time.monotonic() > self._next_walk + _LONGEST_PAUSE or self._over() is not None

    def bounds(self):
        """The workspace's folder, the free bytes and files below which there is reason to count, and the time at which there is."""
        size, files = self._seen
        room, nodes = self._free
        least_bytes = room - (self._limits.workspace_bytes - size)
        return self._folder, least_bytes, nodes - (self._limits.workspace_files - files), self._next_walk + _LONGEST_PAUSE

    async def excess(self):
        """Counts; what is over its cap, or None."""
        await self._walk()
        return self._over()

    def _tick(self):
        self._timer = None
        if self._activity is None:
            return
        self._timer = self._loop.later(_TICK, self._tick)
        if self._walk_over is None and (self._has_grown() or time.monotonic() > self._next_walk):
            self._loop.start(self._walk_and_judge())

    async def _walk_and_judge(self):
        await self._walk()
        over = self._over()
        if over is not None and self._activity is not None:
            self._activity.exceed(over)

    def _over(self):
        size, files = self._seen
        if size > self._limits.workspace_bytes:
            return f"the workspace held more than {self._limits.workspace_bytes} bytes"
        if files > self._limits.workspace_files:
            return f"the workspace held more than {self._limits.workspace_files} files"
        return None

    def _has_grown(self):
        """True when the workspace may be over a cap, going by what the file system has lost since the last walk."""
        room, nodes = self._free_room()
        return self._is_over(self._seen[0] + self._free[0] - room, self._seen[1] + self._free[1] - nodes)

    def _is_over(self, size, files):
        return size > self._limits.workspace_bytes or files > self._limits.workspace_files

    def _free_room(self):
        status = os.statvfs(self._folder)
        return status.f_bfree * status.f_frsize, status.f_ffree

    async def _walk(self):
        """Counts everything, or waits for the walk that does so already."""
        if self._walk_over is not None:
            await self._walk_over
            return
        self._walk_over = Latch(self._loop)
        started = time.monotonic()
        try:
            free = self._free_room()
            self._seen, self._free = await self._count(), free
        finally:
            ended = time.monotonic()
            self._next_walk = ended + min(_LONGEST_PAUSE, max(_TICK, _PAUSE_FACTOR * (ended - started)))
            self._walk_over.set()
            self._walk_over = None

    async def _count(self):
        """Bytes and files below the root; stops early when they are too many. Gives way to other work now and then."""
        size = deleted_bytes(os.stat(self._root).st_dev, outsiders(os.getpid(), frozenset()))
        files = 0
        pending = [self._root]
        while pending and not self._is_over(size, files):
            for entry in _entries(pending.pop()):
                files += 1
                try:
                    if entry.is_dir(follow_symlinks=False):
                        pending.append(entry.path)
                    size += entry.stat(follow_symlinks=False).st_blocks * 512
                except OSError:
                    continue
                if files % _ENTRIES_AT_ONCE == 0:
                    if self._is_over(size, files):
                        break
                    await self._loop.sleep(0)
        return size, files


def _entries(folder):
    try:
        with os.scandir(folder) as entries:
            yield from entries
    except OSError:
        return
