"""What the kernel says about a driver process, from files that are kept open: asking costs a few microseconds."""

import os

_PAGE = os.sysconf("SC_PAGE_SIZE")
# A folder in /proc has one link for itself, one for `.`, and `task` one for each thread.
_LINKS_OF_ONE_THREAD = 3


class DriverStatus:
    """One process. Where the system does not tell, it has no memory and is not alone."""

    def __init__(self, pid):
        self.memory = _open(f"/proc/{pid}/statm")
        self.threads = _open(f"/proc/{pid}/task")
        # Of the first thread only, but that is all when there is no other: what a thread started goes to another one.
        self.children = _open(f"/proc/{pid}/task/{pid}/children")

    @property
    def is_known(self):
        """True when the system tells everything."""
        return None not in (self.memory, self.threads, self.children)

    def resident_bytes(self):
        """Resident memory; 0 when the process is gone."""
        try:
            return int(os.pread(self.memory, 128, 0).split()[1]) * _PAGE
        except (OSError, TypeError, IndexError, ValueError):
            return 0

    def is_alone(self):
        """True when the process has one thread and no children, not even dead ones."""
        try:
            return os.fstat(self.threads).st_nlink == _LINKS_OF_ONE_THREAD and not os.pread(self.children, 1, 0)
        except (OSError, TypeError):
            return False

    def close(self):
        """Closes the files."""
        for file in (self.memory, self.threads, self.children):
            if file is not None:
                os.close(file)
        self.memory = self.threads = self.children = None


def _open(path):
    try:
        return os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
