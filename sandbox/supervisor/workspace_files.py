"""Reads and deletes files and symlinks of the workspace, which may change under our hands at any moment."""

import errno
import os
import stat

from workspace_paths import NotADirectory

CHUNK = 256 * 1024
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
MISSING = {"kind": "missing", "executable": False, "size": 0, "sha256": None}
OTHER = {"kind": "other", "executable": False, "size": 0, "sha256": None}


class OpenFile:
    """A regular file held open, or a symlink's target: whichever stood at a path when it was looked at."""

    def __init__(self, kind, size=0, executable=False, descriptor=None, target=b""):
        self.kind = kind
        self.size = size
        self.executable = executable
        self._descriptor = descriptor
        self._target = target

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def chunks(self):
        """The content in pieces of at most CHUNK bytes; no more than `size`, even when the file grows."""
        if self._descriptor is None:
            if self._target:
                yield self._target
            return
        left = self.size
        while left > 0:
            data = os.read(self._descriptor, min(CHUNK, left))
            if not data:
                return
            left -= len(data)
            yield data


def open_file(directories, parts):
    """What stands at a path, as an OpenFile of kind `file`, `symlink`, `missing` or `other`."""
    try:
        parent = directories.parent(parts)
        descriptor = os.open(parts[-1], _READ, dir_fd=parent)
    except FileNotFoundError:
        return OpenFile("missing")
    except NotADirectory as error:
        return OpenFile("other" if error.is_symlink else "missing")
    except OSError as error:
        return _symlink(parent, parts[-1]) if error.errno == errno.ELOOP else OpenFile("other")
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        os.close(descriptor)
        return OpenFile("other")
    return OpenFile("file", status.st_size, bool(status.st_mode & 0o100), descriptor)


def _symlink(parent, name):
    try:
        target = os.readlink(name, dir_fd=parent)
    except OSError:
        return OpenFile("other")
    return OpenFile("symlink", len(target), target=target)


def describe(directories, parts):
    """Yields now and then while it hashes a long file; its last yield is the entry's kind, size and hash."""
    with open_file(directories, parts) as file:
        if file.kind in ("missing", "other"):
            yield MISSING if file.kind == "missing" else OTHER
            return
        # Loading OpenSSL costs more than all else that a container starts with.
        from hashlib import sha256

        digest, size = sha256(), 0
        for chunk in file.chunks():
            digest.update(chunk)
            size += len(chunk)
            if size % (16 * CHUNK) == 0:
                yield None
        yield {"kind": file.kind, "executable": file.executable, "size": size, "sha256": digest.hexdigest()}


def remove(directories, parts):
    """Deletes a file or symlink; nothing to delete is no error. Raises OSError, NotADirectory."""
    try:
        os.unlink(parts[-1], dir_fd=directories.parent(parts))
    except FileNotFoundError:
        pass
