"""What the container's control group says about memory and processes, for cgroup v1 and v2."""

import os

_ROOT = "/sys/fs/cgroup"


class ControlGroup:
    """The group of everything in the container. Missing files count as no limit and no event."""

    def __init__(self, root=_ROOT):
        self.version = 2 if os.path.exists(f"{root}/cgroup.controllers") else 1
        memory = root if self.version == 2 else f"{root}/memory"
        self._events = _open(f"{memory}/memory.events" if self.version == 2 else f"{memory}/memory.oom_control")
        self.memory_limit = _memory_limit(f"{memory}/memory.max", f"{memory}/memory.limit_in_bytes")

    def oom_kills(self):
        """How many processes the kernel has killed in this group, for want of memory."""
        if self._events is None:
            return 0
        try:
            return oom_kills_in(os.pread(self._events, 4096, 0))
        except OSError:
            return 0

    @property
    def events_file(self):
        """The descriptor that `oom_kills` reads; negative where there is none."""
        return -1 if self._events is None else self._events


def oom_kills_in(text):
    """How many kills for want of memory the group's events tell of."""
    _, name, rest = text.rpartition(b"oom_kill ")
    return int(rest.split(None, 1)[0]) if name else 0


def _open(path):
    try:
        return os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None


def _memory_limit(*paths):
    """The smaller of the group's limit and the machine's memory, in bytes."""
    limit = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    for path in paths:
        try:
            with open(path, encoding="ascii") as file:
                text = file.read().strip()
        except OSError:
            continue
        if text.isdecimal():
            limit = min(limit, int(text))
    return limit
