"""Walks over folders that nobody else touches now: by path, and never through a symlink."""

import os
import stat
from collections import namedtuple

_NO_FOLLOW = {"follow_symlinks": False}


class Entry(namedtuple("Entry", ("folder", "name", "path", "status"))):
    """A file, symlink or folder; `folder` is relative to the root of the walk, `path` is absolute."""

    __slots__ = ()

    @property
    def is_folder(self):
        """True for a folder; a symlink is none."""
        return stat.S_ISDIR(self.status.st_mode)

    @property
    def is_plain(self):
        """True for a regular file and for a symlink."""
        return stat.S_ISREG(self.status.st_mode) or stat.S_ISLNK(self.status.st_mode)


def scan(path):
    """What a folder holds, in no order. Makes the folder readable first, which must be ours."""
    mode = stat.S_IMODE(os.stat(path, **_NO_FOLLOW).st_mode)
    if mode & 0o700 != 0o700:
        os.chmod(path, mode | 0o700)
    with os.scandir(path) as entries:
        return list(entries)


def listing(path, folder=""):
    """The same, with the status of each."""
    return [Entry(folder, entry.name, entry.path, entry.stat(**_NO_FOLLOW)) for entry in scan(path)]


def walk(root):
    """Every entry below the root, a folder before what it holds. What is deleted on the way is not walked."""
    pending = [("", root)]
    while pending:
        folder, path = pending.pop()
        for entry in listing(path, folder):
            yield entry
            if entry.is_folder and os.path.lexists(entry.path):
                pending.append((os.path.join(folder, entry.name), entry.path))


def copy(source, target):
    """Copies one regular file or symlink with its mode and time to a place where nothing stands. Raises OSError."""
    status = os.lstat(source)
    if stat.S_ISLNK(status.st_mode):
        os.symlink(os.readlink(source), target)
        return
    reader = os.open(source, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        writer = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            while os.sendfile(writer, reader, None, 1 << 24) > 0:
                pass
            os.fchmod(writer, stat.S_IMODE(status.st_mode))
            os.utime(writer, ns=(status.st_atime_ns, status.st_mtime_ns))
        finally:
            os.close(writer)
    finally:
        os.close(reader)
