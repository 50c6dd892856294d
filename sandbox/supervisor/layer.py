"""The layer: made by an install, closed by `seal`, and read by the containers of runs."""

import json
import os
import stat

from emptying import empty
from layer_copy import LayerCopy
from trees import listing, walk

_KEPT = ("venv", "tools")
_LONGEST_MANIFEST = 4096


class Layer:
    """Which of the two a container is for is said by `hello`; `use` is `none`, `read` or `make`."""

    def __init__(self, supervisor):
        self._supervisor = supervisor
        self._places = supervisor.places
        self.use = "none"
        self.uploaded = set()
        self.copy = None

    def open(self, use):
        """Returns the manifest of a layer that is to be read, or None when there is none."""
        self.use = use
        if use != "read":
            return None
        manifest = _read_manifest(os.path.join(self._places.kept, "manifest.json"))
        if manifest is not None:
            self.copy = LayerCopy(self._supervisor, os.path.join(self._places.kept, "tree"))
        return manifest

    def note(self, path):
        """Takes down a path of the checkout, which is no part of what is made."""
        if self.use == "make":
            self.uploaded.add(path)

    def seal(self, key):
        """Leaves only what was made, below `.autolith`; returns the manifest. Raises OSError."""
        workspace = self._places.workspace
        kept = os.path.join(workspace, ".autolith")
        if not _is_folder(kept):
            raise NotADirectoryError(20, "the install replaced the folder of the layer")
        for entry in listing(kept):
            if entry.name not in _KEPT or not entry.is_folder:
                _delete(entry)
        self._delete_checkout()
        files, size = _tidy(workspace)
        tree = os.path.join(kept, "tree")
        os.makedirs(tree)
        for entry in listing(workspace):
            if entry.path != kept:
                os.rename(entry.path, os.path.join(tree, entry.name))
        manifest = {"key": key, "files": files, "bytes": size}
        with open(os.path.join(kept, "manifest.json"), "x", encoding="utf-8") as file:
            json.dump(manifest, file)
        return manifest

    def _delete_checkout(self):
        for entry in listing(self._places.workspace):
            if entry.name == ".git":
                _delete(entry)
        for path in self.uploaded:
            place = os.path.join(self._places.workspace, path)
            if os.path.realpath(os.path.dirname(place)) == os.path.dirname(place):
                try:
                    os.unlink(place)
                except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
                    pass


def _tidy(root):
    """Deletes what is neither file, symlink nor folder, and empty folders; counts what is left."""
    files, size, folders = 0, 0, []
    for entry in walk(root):
        if entry.is_folder:
            os.chmod(entry.path, stat.S_IMODE(entry.status.st_mode) & 0o777 | 0o700)
            folders.append(entry.path)
        elif not entry.is_plain:
            os.unlink(entry.path)
            continue
        elif stat.S_ISREG(entry.status.st_mode):
            os.chmod(entry.path, stat.S_IMODE(entry.status.st_mode) & 0o777 | 0o400)
        files += 1
        size += entry.status.st_blocks * 512
    for path in reversed(folders):
        try:
            os.rmdir(path)
            files -= 1
        except OSError:
            continue
    return files, size


def _delete(entry):
    if entry.is_folder:
        os.chmod(entry.path, 0o700)
        empty(entry.path)
        os.rmdir(entry.path)
    else:
        os.unlink(entry.path)


def _is_folder(path):
    try:
        return stat.S_ISDIR(os.lstat(path).st_mode)
    except FileNotFoundError:
        os.mkdir(path)
        return True


def _read_manifest(path):
    """The manifest, or None: an empty layer has none."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(descriptor, encoding="utf-8") as file:
            return json.loads(file.read(_LONGEST_MANIFEST))
    except (OSError, ValueError):
        return None
