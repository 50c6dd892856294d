"""Writes the files of one `put`."""

import os
import time

from request_fields import RequestError, refusal
from workspace_paths import Directories, NotADirectory, components

_MODES = {"file": 0o644, "executable": 0o755, "symlink": 0o777}
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_LONGEST_TARGET = 4095


class Upload:
    """Takes pieces in order; a file replaces what stood at its path only when it is complete."""

    def __init__(self, root, limits):
        self._directories = Directories(root)
        self._limits = limits
        self._open = None
        self.files = 0
        self.bytes = 0

    def piece(self, header, binary):
        """One `put-file` frame. Raises RequestError."""
        path, mode, more = header.get("path"), header.get("mode"), header.get("more", False)
        parts = components(path)
        if mode not in _MODES or not isinstance(more, bool):
            raise RequestError("bad-request", f"{path}: mode or more is not valid")
        self._count(binary, self._open is None)
        try:
            if mode == "symlink":
                self._symlink(parts, binary, more)
            else:
                self._file(parts, mode, binary, more)
        except NotADirectory as error:
            raise RequestError("bad-request", f"{path}: {error} is not a directory") from None
        except OSError as error:
            raise refusal(error, path) from None

    def finish(self):
        """Raises RequestError when the last file is incomplete."""
        incomplete = self._open is not None
        self.abandon()
        if incomplete:
            raise RequestError("bad-request", "put-end came before the last piece of a file")

    def abandon(self):
        """Closes everything, and deletes an incomplete file."""
        if self._open is not None:
            _, parts, temporary, descriptor = self._open
            self._open = None
            os.close(descriptor)
            try:
                os.unlink(temporary, dir_fd=self._directories.parent(parts))
            except (OSError, NotADirectory):
                pass
        self._directories.close()

    def _count(self, binary, is_new):
        self.bytes += len(binary)
        self.files += 1 if is_new else 0
        if self.bytes > self._limits.workspace_bytes or self.files > self._limits.workspace_files:
            raise RequestError("no-space", "the upload is larger than the workspace may be")

    def _symlink(self, parts, target, more):
        if self._open is not None or more or not 0 < len(target) <= _LONGEST_TARGET or b"\0" in target:
            raise RequestError("bad-request", "a symlink's target is empty, too long, or came in pieces")
        parent = self._directories.parent(parts, create=True)
        temporary = _temporary_name()
        os.symlink(target, temporary, dir_fd=parent)
        self._replace(parent, temporary, parts[-1])

    def _file(self, parts, mode, binary, more):
        if self._open is None:
            parent = self._directories.parent(parts, create=True)
            temporary = _temporary_name()
            descriptor = os.open(temporary, _CREATE, 0o600, dir_fd=parent)
            self._open = (mode, parts, temporary, descriptor)
        elif self._open[:2] != (mode, parts):
            raise RequestError("bad-request", "a file began before the last piece of the one before it")
        _, _, temporary, descriptor = self._open
        _write_all(descriptor, binary)
        if not more:
            parent = self._directories.parent(parts)
            self._date(descriptor, parent, parts[-1])
            os.fchmod(descriptor, _MODES[mode])
            self._replace(parent, temporary, parts[-1])
            self._open = None
            os.close(descriptor)

    @staticmethod
    def _date(descriptor, parent, name):
        """Interpreters compare whole seconds (Python's .pyc files), so an edit must always look newer by one."""
        try:
            old = os.stat(name, dir_fd=parent, follow_symlinks=False).st_mtime_ns
        except FileNotFoundError:
            return
        now = time.time_ns()
        os.utime(descriptor, ns=(now, max(now, old + 1_000_000_000)))

    @staticmethod
    def _replace(parent, temporary, name):
        try:
            os.rename(temporary, name, src_dir_fd=parent, dst_dir_fd=parent)
        except OSError:
            os.unlink(temporary, dir_fd=parent)
            raise


def _temporary_name():
    return b".autolith-" + os.urandom(8).hex().encode()


def _write_all(descriptor, data):
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
