"""Walks to places in the workspace one component at a time, never through a symlink."""

import os
import stat

from request_fields import RequestError

_DIRECTORY = os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_LONGEST = 4096


class NotADirectory(Exception):
    """Something other than a directory stands in the place of a parent; `is_symlink` tells which."""

    def __init__(self, path, is_symlink):
        super().__init__(path)
        self.is_symlink = is_symlink


def components(path):
    """The parts of a relative path, as bytes. Raises RequestError when the path could lead outside."""
    if not isinstance(path, str) or "\0" in path:
        raise RequestError("bad-request", "a path is not a string without NUL")
    try:
        encoded = os.fsencode(path)
    except UnicodeEncodeError:
        raise RequestError("bad-request", f"path {path!r} cannot be encoded") from None
    parts = encoded.split(b"/")
    if len(encoded) > _LONGEST or any(part in (b"", b".", b"..") for part in parts):
        raise RequestError("bad-request", f"path {path[:200]!r} is not a plain relative path")
    return parts


class Directories:
    """Opens parent directories below a root; the last one stays open, since files come in the order of folders."""

    def __init__(self, root):
        self._root = root
        self._last = None
        self._descriptor = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def parent(self, parts, create=False):
        """A descriptor of the folder that holds `parts`, valid until the next call. Raises OSError, NotADirectory."""
        folder = parts[:-1]
        if self._last != folder:
            self.close()
            self._descriptor = self._open(folder, create)
            self._last = folder
        return self._descriptor

    def close(self):
        """Closes the directory that is still open; the next call opens its own."""
        self._last = None
        if self._descriptor is not None:
            descriptor, self._descriptor = self._descriptor, None
            os.close(descriptor)

    def _open(self, folder, create):
        descriptor = os.open(self._root, _DIRECTORY)
        for part in folder:
            try:
                below = _step(descriptor, part, create)
            finally:
                os.close(descriptor)
            descriptor = below
        return descriptor


def _step(descriptor, part, create):
    try:
        return os.open(part, _DIRECTORY, dir_fd=descriptor)
    except FileNotFoundError:
        if not create:
            raise
    except OSError:
        mode = os.stat(part, dir_fd=descriptor, follow_symlinks=False).st_mode
        if not stat.S_ISDIR(mode):
            raise NotADirectory(os.fsdecode(part), stat.S_ISLNK(mode)) from None
        raise
    os.mkdir(part, 0o755, dir_fd=descriptor)
    return os.open(part, _DIRECTORY, dir_fd=descriptor)
