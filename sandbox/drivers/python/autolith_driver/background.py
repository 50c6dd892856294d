"""What user code left running: threads, children and tasks, in words."""

from ctypes import CDLL
from fcntl import F_DUPFD_CLOEXEC, fcntl
from os import O_CLOEXEC, O_RDONLY, P_ALL, WEXITED, WNOHANG, WNOWAIT, close, fstat, getpid, listdir, pread
from os import open as open_descriptor
from threading import _active as active_threads
from threading import main_thread

from .sources import read_regular

_MOST = 20
_CHILD = WEXITED | WNOHANG | WNOWAIT
# `os.waitid` would raise an exception whenever there are no children, which is most often.
_wait = CDLL(None).waitid
_main = main_thread()
# Above what user code opens and closes.
_LOWEST_DESCRIPTOR = 100
# A folder in /proc has one link for itself, one for `.`, and `task` one for each thread.
_LINKS_OF_ONE_THREAD = 3


def background(tasks):
    """One line for each, at most `_MOST` of a kind."""
    if not tasks and _is_alone():
        return []
    # `threading.enumerate` would look up builtins that user code may have replaced.
    running = [thread for thread in list(active_threads.values()) if thread is not _main]
    words = [f"thread {thread.name}" for thread in running[:_MOST]]
    words += [f"child process {pid} ({name})" for pid, name in _children()[:_MOST]]
    words += [f"task {task.get_name()}, which goes on at the next await" for task in tasks[:_MOST]]
    return [line[:200] for line in words]


def _kept(path):
    """A descriptor of a file in /proc; -1 where there is none."""
    try:
        file = open_descriptor(path, O_RDONLY | O_CLOEXEC)
    except OSError:
        return -1
    kept = fcntl(file, F_DUPFD_CLOEXEC, _LOWEST_DESCRIPTOR)
    close(file)
    return kept


_threads = _kept("/proc/self/task")
_children_of_main = _kept(f"/proc/self/task/{getpid()}/children")


def _is_alone():
    """True when the kernel knows of no other thread and no child, which is most often, and costs less than to look for them."""
    try:
        return fstat(_threads).st_nlink == _LINKS_OF_ONE_THREAD and not pread(_children_of_main, 1, 0)
    except OSError:
        return False


def _children():
    if _wait(P_ALL, 0, None, _CHILD) < 0:
        return []
    found = []
    for task in listdir("/proc/self/task"):
        for pid in (_read(f"/proc/self/task/{task}/children") or "").split():
            state = (_read(f"/proc/{pid}/stat") or "").rpartition(")")[2].split()
            if state and state[0] not in "ZX":
                found.append((int(pid), (_read(f"/proc/{pid}/comm") or "?").strip()))
    return found if len(found) < 2 else sorted(found)


def _read(path):
    data = read_regular(path, 4096)
    return None if data is None else data.decode("utf-8", "replace")
