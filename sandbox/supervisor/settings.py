"""Places and caps that hold for the life of the container."""

import os
from collections import namedtuple

from request_fields import RequestError

_CONTAINER = {"--workspace": "/work", "--tmp": "/tmp", "--run": "/run/autolith"}


class Places(namedtuple("Places", ("workspace", "temporary", "scratch", "drivers"))):
    """Folders that the supervisor works on. Everything in the first three may be deleted by it."""

    __slots__ = ()

    @property
    def home(self):
        """HOME of everything that runs."""
        return os.path.join(self.temporary, "home")

    def environment(self):
        """The whole environment of runtimes and runs: fixed, and nothing inherited but the image's PATH."""
        return {
            "PATH": os.environ.get("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"),
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
    """Reads `--workspace DIR --tmp DIR --run DIR --drivers DIR`. Only process 1 of a container may do without them.

    An ordinary process does not own `/tmp`, which is emptied now and then. Raises SystemExit for wrong use.
    """
    given = dict(zip(arguments[::2], arguments[1::2]))
    here = os.path.dirname(os.path.abspath(__file__))
    places = {"--drivers": os.path.join(os.path.dirname(here), "drivers")}
    if is_init:
        places.update(_CONTAINER)
    places.update(given)
    if set(places) != {*_CONTAINER, "--drivers"} or len(arguments) != 2 * len(given):
        raise SystemExit("usage: supervisor --workspace DIR --tmp DIR --run DIR [--drivers DIR]")
    return Places(*(os.path.realpath(places[name]) for name in (*_CONTAINER, "--drivers")))


def _camel_case(name):
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)
