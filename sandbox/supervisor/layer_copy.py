"""The writable copy of what an install made: kept over resets, with everything that changed put right again.

A file of the copy is still as it was made when its inode, size, mode and time of last change are: the kernel sets that
time, whatever a program does to the file. Copying everything before every test run would take many times as long.
"""

import itertools
import os
import stat
import struct

from capture import Capture
from emptying import empty
from request_fields import RequestError
from trees import copy, listing, scan, walk

_COPY_TIMEOUT = 240
_OUTPUT = 1000
# Longer than a tick of the clock by which the kernel dates changes: what comes later has another date.
_TICK = 0.02
_IDENTITY = struct.Struct("<QqqI")


class LayerCopy:
    """Lies in the workspace while tests run, and below `.git` while the workspace is emptied and filled."""

    def __init__(self, supervisor, tree):
        self._supervisor = supervisor
        self._tree = tree
        self._workspace = supervisor.places.workspace
        self._aside = os.path.join(self._workspace, ".git", "autolith-layer")
        # Folders by relative path, each with the identities of its files and the modes of its folders by name.
        self._index = None

    def take_aside(self):
        """Empties the workspace of all but the copy, which is put right and moved away. Raises OSError."""
        if self._index is None:
            empty(self._workspace)
            return
        waste = _fresh_folder(self._workspace, ".autolith-waste")
        self._put_right(waste)
        empty(waste)
        os.rmdir(waste)
        kept = listing(self._workspace)
        os.makedirs(self._aside)
        for entry in kept:
            os.rename(entry.path, os.path.join(self._aside, entry.name))

    async def bring_back(self):
        """Lays the copy beside the files of the checkout, which win. Raises OSError, RequestError."""
        if self._index is None:
            await self._copy_all()
        roots = []
        self._merge(self._aside, "", roots)
        empty(self._aside)
        os.rmdir(self._aside)
        _exclude(os.path.join(self._workspace, ".git"), roots)
        await self._supervisor.loop.sleep(_TICK)

    async def _copy_all(self):
        os.makedirs(self._aside, exist_ok=True)
        argv = ["cp", "-a", "--no-preserve=ownership", "-T", "--", self._tree, self._aside]
        supervisor, output = self._supervisor, Capture(_OUTPUT, 0)
        code = await supervisor.launcher.run_briefly(argv, "/", supervisor.environment, output, _COPY_TIMEOUT)
        if code != 0:
            raise RequestError("no-space", f"the layer cannot be copied: {output.output()['text'].strip()}")
        index = {"": {}}
        for entry in walk(self._aside):
            if entry.is_folder:
                index[os.path.join(entry.folder, entry.name)] = {}
            index[entry.folder][entry.name] = _identity(entry.status)
        self._index = index

    def _put_right(self, waste):
        """Makes the workspace hold the copy and nothing else but the waste."""
        pending, places = [""], (os.path.join(waste, str(number)) for number in itertools.count())
        while pending:
            folder = pending.pop()
            self._put_folder_right(folder, waste, places)
            known = self._index[folder]
            pending += [os.path.join(folder, name) for name, identity in known.items() if isinstance(identity, int)]

    def _put_folder_right(self, folder, waste, places):
        path, known, present = os.path.join(self._workspace, folder), self._index[folder], set()
        for entry in scan(path):
            status, identity = entry.stat(follow_symlinks=False), known.get(entry.name)
            # Nearly always: any call more for each of the files is felt.
            if identity == _identity(status):
                present.add(entry.name)
            elif isinstance(identity, int) and stat.S_ISDIR(status.st_mode):
                os.chmod(entry.path, identity)
                present.add(entry.name)
            elif entry.path != waste:
                _throw_away(entry, next(places))
        for name in known.keys() - present:
            self._make_anew(folder, name)

    def _make_anew(self, folder, name):
        known, below = self._index[folder], os.path.join(folder, name)
        target = os.path.join(self._workspace, below)
        if isinstance(known[name], int):
            os.mkdir(target)
            os.chmod(target, known[name])
        else:
            copy(os.path.join(self._tree, below), target)
            known[name] = _identity(os.lstat(target))

    def _merge(self, source, folder, roots):
        for entry in listing(source, folder):
            below = os.path.join(folder, entry.name)
            target = os.path.join(self._workspace, below)
            try:
                standing = os.lstat(target)
            except FileNotFoundError:
                os.rename(entry.path, target)
                roots.append(below)
                if not entry.is_folder:
                    # Being renamed is a change of its own.
                    self._index[folder][entry.name] = _identity(os.lstat(target))
                continue
            if entry.is_folder and stat.S_ISDIR(standing.st_mode):
                self._merge(entry.path, below, roots)


def _identity(status):
    """The mode of a folder; of anything else, what cannot stay the same when it is changed."""
    mode = status.st_mode
    if stat.S_ISDIR(mode):
        return stat.S_IMODE(mode) | 0o700
    return _IDENTITY.pack(status.st_ino, status.st_size, status.st_ctime_ns, mode)


def _throw_away(entry, place):
    if entry.is_dir(follow_symlinks=False):
        os.chmod(entry.path, 0o700)
        os.rename(entry.path, place)
    else:
        os.unlink(entry.path)


def _fresh_folder(parent, name):
    """Makes a folder of this name, or of a longer one where that is taken."""
    while True:
        path = os.path.join(parent, name)
        try:
            os.mkdir(path, 0o700)
            return path
        except FileExistsError:
            name += "-"


def _exclude(git, roots):
    """Keeps what was installed out of what git lists and searches."""
    os.makedirs(os.path.join(git, "info"), exist_ok=True)
    with open(os.path.join(git, "info", "exclude"), "ab") as file:
        for root in map(os.fsencode, roots):
            if b"\n" not in root:
                file.write(b"/" + b"".join(b"\\" + bytes([c]) if c in b"\\*?[]!# " else bytes([c]) for c in root) + b"\n")
