"""The verbs `put`, `get`, `stat` and `remove`."""

import os

from frames import ProtocolError, encode_header
from request_fields import RequestError, field, refusal, texts
from upload import Upload
from workspace_files import describe, open_file, remove
from workspace_paths import Directories, NotADirectory, components

_ENTRIES_PER_FRAME = 1000
# An entry without its path, and what a frame may hold before it is sent: bounds for paths of 4,096 bytes.
_ENTRY_SIZE = 200
_FRAME_SIZE = 256 * 1024


class FileVerbs:
    """Answers requests about files of the workspace."""

    def __init__(self, supervisor):
        self._supervisor = supervisor
        self._root = supervisor.places.workspace

    async def put(self, request, next_frame):
        """Takes the frames that follow up to `put-end`, also when one of them is refused. Raises RequestError."""
        refused = None
        reset = request.get("reset", False)
        if reset:
            refused = await self._supervisor.reset()
        upload = Upload(self._root, self._supervisor.limits)
        try:
            while True:
                header, binary = await next_frame()
                if header["id"] != request["id"] or header["verb"] not in ("put-file", "put-end"):
                    raise ProtocolError(f"{header['verb']} came before put-end", header["id"])
                if header["verb"] == "put-end":
                    break
                try:
                    if refused is None:
                        upload.piece(header, binary)
                        self._supervisor.layer.note(header["path"])
                except RequestError as error:
                    refused = error
            if refused is not None:
                raise refused
            upload.finish()
        finally:
            upload.abandon()
        if reset:
            await self._supervisor.make_repository()
        self._supervisor.host.send({"id": request["id"], "event": "done", "files": upload.files, "bytes": upload.bytes})

    async def get(self, request):
        """Sends one file's content. Raises RequestError."""
        parts, most = components(field(request, "path", str)), field(request, "maxBytes", int)
        host, request_id = self._supervisor.host, request["id"]
        with Directories(self._root) as directories, open_file(directories, parts) as file:
            kind, size = file.kind, 0
            if file.size > most:
                kind = "too-large"
            else:
                for chunk in file.chunks():
                    size += len(chunk)
                    host.send({"id": request_id, "event": "data"}, chunk)
                    await host.room()
            host.send({"id": request_id, "event": "done", "kind": kind, "executable": file.executable, "size": size})

    async def stat(self, request):
        """Sends entries for the given paths, or for everything. Raises RequestError."""
        lists_all = request.get("all") is True
        paths = self._all_paths() if lists_all else texts(request, "paths")
        host, entries, size = self._supervisor.host, [], 0
        with Directories(self._root) as directories:
            for path in paths:
                entry = await self._described(directories, components(path))
                if lists_all and entry["kind"] == "missing":
                    continue
                entries.append({"path": path, **entry})
                size += len(encode_header(path)) + _ENTRY_SIZE
                if len(entries) == _ENTRIES_PER_FRAME or size > _FRAME_SIZE:
                    host.send({"id": request["id"], "event": "data", "entries": entries})
                    entries, size = [], 0
                    await host.room()
        if entries:
            host.send({"id": request["id"], "event": "data", "entries": entries})
        host.send({"id": request["id"], "event": "done"})

    async def _described(self, directories, parts):
        for entry in describe(directories, parts):
            if entry is not None:
                return entry
            await self._supervisor.loop.sleep(0)

    async def remove(self, request):
        """Deletes files and symlinks. Raises RequestError."""
        paths = [(path, components(path)) for path in texts(request, "paths")]
        with Directories(self._root) as directories:
            for path, parts in paths:
                try:
                    remove(directories, parts)
                except NotADirectory as error:
                    if error.is_symlink:
                        raise RequestError("bad-request", f"{path}: {error} is a symlink") from None
                except OSError as error:
                    raise refusal(error, path) from None
        self._supervisor.host.send({"id": request["id"], "event": "done"})

    def _all_paths(self):
        """Relative paths of all that is not a folder, but of `.git/`, in a stable order."""
        left = self._supervisor.limits.workspace_files
        pending = [""]
        while pending:
            prefix = pending.pop()
            for name, is_folder in _listing(os.path.join(self._root, prefix)):
                path = prefix + name
                if is_folder:
                    if path != ".git":
                        pending.append(path + "/")
                elif left > 0:
                    left -= 1
                    yield path


def _listing(folder):
    try:
        with os.scandir(folder) as entries:
            return sorted((entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries)
    except OSError:
        return []
