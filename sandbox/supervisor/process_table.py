"""What /proc tells about the processes around the supervisor."""

import os
import threading

_SIGKILL_BIT = 1 << 8
_SIGUSR1_BIT = 1 << 9
# PF_EXITING of the kernel's include/linux/sched.h
_EXITING = 4
_FEWEST_FIELDS = 28
_CHILDREN_SIZE = 1 << 16


class ChildList:
    """Process ids of the supervisor's direct children: orphans that it inherited and zombies among them."""

    def __init__(self):
        try:
            self.file = os.open(f"/proc/self/task/{threading.get_native_id()}/children", os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            self.file = None
        self._text = None
        self._ids = frozenset()

    def read(self):
        """The ids as a set."""
        if self.file is None:
            own = os.getpid()
            return {pid for pid, (parent, _, _) in table().items() if parent == own}
        text = os.pread(self.file, _CHILDREN_SIZE, 0)
        if text != self._text:
            self._text, self._ids = text, frozenset(map(int, text.split()))
        return self._ids


def table():
    """Parent, session and state letter of every process that can be seen."""
    rows = {}
    for name in os.listdir("/proc"):
        if name.isdecimal():
            row = _row(name)
            if row is not None:
                rows[int(name)] = row
    return rows


def outsiders(root, keep):
    """The descendants of `root` that are neither in `keep` nor below it; tells for each whether it stands still."""
    rows = table()
    children = {}
    for pid, (parent, _, _) in rows.items():
        children.setdefault(parent, []).append(pid)
    found, pending = {}, [root]
    while pending:
        for pid in children.get(pending.pop(), ()):
            if pid not in keep:
                found[pid] = rows[pid][2] in "TtZX"
                pending.append(pid)
    return found


def is_dying(pid):
    """True for a process that has ended, is about to, or was sent a SIGKILL that it has not met yet."""
    fields = _fields(pid)
    # State, flags and pending signals, as numbered in proc(5) less three.
    return fields is None or fields[0] in b"ZX" or bool(int(fields[6]) & _EXITING or int(fields[28]) & _SIGKILL_BIT)


def python_stack_dumpers(session):
    """Processes of a session that run Python and have set up a handler for SIGUSR1."""
    found = []
    for pid, (_, owner, _) in table().items():
        if owner == session and _catches_usr1(pid) and _is_python(pid):
            found.append(pid)
    return found


def _row(pid):
    fields = _fields(pid)
    return None if fields is None else (int(fields[1]), int(fields[3]), fields[0].decode())


def _fields(pid):
    """What `/proc/PID/stat` says after the process's name; None when there is no such process."""
    try:
        with open(f"/proc/{pid}/stat", "rb", buffering=0) as file:
            fields = file.read(4096).rpartition(b")")[2].split()
    except OSError:
        return None
    return fields if len(fields) > _FEWEST_FIELDS else None


def _catches_usr1(pid):
    try:
        with open(f"/proc/{pid}/status", "rb") as file:
            for line in file:
                if line.startswith(b"SigCgt:"):
                    return bool(int(line[7:], 16) & _SIGUSR1_BIT)
    except (OSError, ValueError):
        pass
    return False


def _is_python(pid):
    try:
        return os.path.basename(os.readlink(f"/proc/{pid}/exe")).startswith("python")
    except OSError:
        return False
