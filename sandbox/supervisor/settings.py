"""Places and caps that hold for the life of the container."""

import argparse
import os
from dataclasses import dataclass, fields

from request_fields import RequestError


@dataclass(frozen=True)
class Places:
    """Folders that the supervisor works on. Everything in `workspace`, `temporary` and `scratch` may be deleted by it."""

    workspace: str
    temporary: str
    scratch: str
    drivers: str

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


@dataclass
class Limits:
    """The caps of `hello`, in bytes and counts."""

    output_head: int = 65_536
    output_tail: int = 65_536
    output_total: int = 67_108_864
    report_bytes: int = 16_777_216
    workspace_bytes: int = 2_147_483_648
    workspace_files: int = 200_000

    def update(self, wanted):
        """Takes the `limits` of a `hello`. Raises RequestError for an unknown name or a value that is no count."""
        names = {_camel_case(each.name): each.name for each in fields(self)}
        for name, value in wanted.items():
            if name not in names or isinstance(value, bool) or not isinstance(value, int) or value < 0:
                raise RequestError("bad-request", f"hello: limit {name} is unknown or not a count")
            setattr(self, names[name], value)


def places_from(arguments, is_init):
    """Reads the command line. Only process 1 of a container may do without: it owns `/tmp`, an ordinary process does not."""
    parser = argparse.ArgumentParser(prog="supervisor", description="Serves Autolith's sandbox protocol on standard input.")
    here = os.path.dirname(os.path.abspath(__file__))
    for name, default in (("workspace", "/work"), ("tmp", "/tmp"), ("run", "/run/autolith")):
        parser.add_argument(f"--{name}", default=default, required=not is_init)
    parser.add_argument("--drivers", default=os.path.join(os.path.dirname(here), "drivers"))
    parsed = parser.parse_args(arguments)
    return Places(*(os.path.realpath(path) for path in (parsed.workspace, parsed.tmp, parsed.run, parsed.drivers)))


def _camel_case(name):
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)
