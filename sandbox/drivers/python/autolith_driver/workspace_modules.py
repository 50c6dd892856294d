"""Imports modules of the workspace from their source, never from bytecode, and knows which have changed since."""

from _imp import source_hash
from importlib.machinery import (
    BYTECODE_SUFFIXES,
    EXTENSION_SUFFIXES,
    SOURCE_SUFFIXES,
    ExtensionFileLoader,
    FileFinder,
    SourceFileLoader,
    SourcelessFileLoader,
)
from os import stat
from sys import modules

from .sources import read_regular

_LONGEST_SOURCE = 16 << 20
_KEY = 0x6175746F6C697468
_loaded = {}


def importer_for(workspace):
    """A path hook for folders at and below the workspace."""
    below = workspace.rstrip("/") + "/"

    def hook(path):
        is_installed = "/site-packages" in path or "/dist-packages" in path
        if is_installed or (path != workspace and not path.startswith(below)):
            raise ImportError("not the workspace's own")
        return FileFinder(path, *_LOADERS)

    return hook


class WorkspaceLoader(SourceFileLoader):
    """Remembers the bytes that it compiled by their hash. Bytecode may be older than it looks, so it is not used."""

    def get_code(self, fullname):
        """Compiles the source as it is now."""
        path = self.get_filename(fullname)
        before = _stamp(path)
        data = self.get_data(path)
        _loaded[fullname] = (path, before, source_hash(_KEY, data))
        return self.source_to_code(data, path)


def stale_files(workspace):
    """Files of the workspace that differ from what their loaded module was made of, relative to it, sorted."""
    stale = []
    for name, (path, stamp, digest) in list(_loaded.items()):
        if name not in modules:
            del _loaded[name]
            continue
        now = _stamp(path)
        if now == stamp:
            continue
        if _digest(path) != digest:
            stale.append(path.removeprefix(workspace + "/"))
        elif now is not None:
            _loaded[name] = (path, now, digest)
    return sorted(set(stale))


def _stamp(path):
    """What changes with a file's content at the least; the change time cannot be set by anybody."""
    try:
        status = stat(path)
    except OSError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def _digest(path):
    data = read_regular(path, _LONGEST_SOURCE)
    return None if data is None else source_hash(_KEY, data)


_LOADERS = (
    (ExtensionFileLoader, EXTENSION_SUFFIXES),
    (WorkspaceLoader, SOURCE_SUFFIXES),
    (SourcelessFileLoader, BYTECODE_SUFFIXES),
)
