"""Places and caps that hold for the life of the container."""

import os
from collections import namedtuple

from request_fields import RequestError

_CONTAINER = {"--workspace": "/work", "--tmp": "/tmp", "--run": "/run/autolith"}
_READ_ONLY = ("--drivers", "--layer")
_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


class Places(namedtuple("Places", ("workspace", "temporary", "scratch", "drivers", "layer"))):
    """Folders that the supervisor works on. Everything in the first three may be deleted by it."""

    __slots__ = ()

    @property
    def home(self):
        """HOME of everything that runs."""
        return os.path.join(self.temporary, "home")

    @property
    def kept(self):
        """What an install keeps: the folder of this name in the layer, which is `.autolith` of the workspace then."""
        return os.path.join(self.layer, ".autolith")

    @property
    def virtual_environment(self):
        """Where an install makes Python's virtual environment, and where it is used."""
        return os.path.join(self.kept, "venv")

    def search_path(self, path):
        """A PATH with what was installed in front."""
        folders = [os.path.join(place, "bin") for place in (self.virtual_environment, os.path.join(self.kept, "tools"))]
        return ":".join([*(folder for folder in folders if os.path.isdir(folder)), path])

    def environment(self):
        """The whole environment of runtimes and runs: fixed, and nothing inherited but the image's PATH."""
        installed = {"VIRTUAL_ENV": self.virtual_environment} if os.path.isdir(self.virtual_environment) else {}
        return {
            **installed,
            "PATH": self.search_path(os.environ.get("PATH", _PATH)),
            "HOME": self.home,
            "TMPDIR": self.temporary,
            "LANG": "C.UTF-8",
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONUNBUFFERED": "1",
            "MPLBACKEND": "Agg",
        }


class Limits:
    """The caps of `hello`, in bytes and counts."""

    def __init__(self):
        self.output_head = 65_536
        self.output_tail = 65_536
        self.output_total = 67_108_864
        self.report_bytes = 16_777_216
        self.workspace_bytes = 2_147_483_648
        self.workspace_files = 200_000

    def update(self, wanted):
        """Takes the `limits` of a `hello`. Raises RequestError for an unknown name or a value that is no count."""
        names = {_camel_case(name): name for name in vars(self)}
        for name, value in wanted.items():
            if name not in names or isinstance(value, bool) or not isinstance(value, int) or value < 0:
                raise RequestError("bad-request", f"hello: limit {name} is unknown or not a count")
            setattr(self, names[name], value)


def places_from(arguments, is_init):
    """Reads `--workspace DIR --tmp DIR --run DIR --drivers DIR --layer DIR`. Only process 1 of a container may do without them.

    An ordinary process does not own `/tmp`, which is emptied now and then. Raises SystemExit for wrong use.
    """
    given = dict(zip(arguments[::2], arguments[1::2]))
    here = os.path.dirname(os.path.abspath(__file__))
    places = {"--drivers": os.path.join(os.path.dirname(here), "drivers"), "--layer": "/layer"}
    if is_init:
        places.update(_CONTAINER)
    places.update(given)
    if set(places) != {*_CONTAINER, *_READ_ONLY} or len(arguments) != 2 * len(given):
        raise SystemExit("usage: supervisor --workspace DIR --tmp DIR --run DIR [--drivers DIR] [--layer DIR]")
    return Places(*(os.path.realpath(places[name]) for name in (*_CONTAINER, *_READ_ONLY)))


def _camel_case(name):
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)
