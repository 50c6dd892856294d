"""Has every Python process of a run watch its unittest: loaded from PYTHONPATH before any code of the repository.

Leaves no trace: our folder goes from the path and from the environment, and the `sitecustomize` that would have been
loaded without us is loaded after us.
"""

import os
import sys
from importlib.machinery import PathFinder
from importlib.util import module_from_spec

_start = os.path.dirname(os.path.abspath(__file__))
_plugins = os.path.dirname(os.path.dirname(_start))


def _leave_path():
    sys.path[:] = [each for each in sys.path if os.path.abspath(each) != _start]
    others = [each for each in os.environ.get("PYTHONPATH", "").split(os.pathsep) if each != _start]
    if others in ([], [""]):
        os.environ.pop("PYTHONPATH", None)
    else:
        os.environ["PYTHONPATH"] = os.pathsep.join(others)


def _load_own():
    if "AUTOLITH_REPORT" not in os.environ:
        return
    before = list(sys.path)
    theirs = [os.path.abspath(each) for each in os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    sys.path[:] = [_plugins, *(each for each in before if os.path.abspath(each) not in theirs)]
    try:
        import autolith_unittest
        autolith_unittest.install()
    finally:
        sys.path[:] = before


def _load_other():
    spec = PathFinder.find_spec("sitecustomize", sys.path)
    if spec is not None and spec.loader is not None:
        module = module_from_spec(spec)
        sys.modules["sitecustomize"] = module
        spec.loader.exec_module(module)


_leave_path()
_load_own()
_load_other()
