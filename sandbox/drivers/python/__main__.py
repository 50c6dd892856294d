"""Starts the Python driver with modules and builtins of its own, so that user code cannot change what it relies on.

User code may replace `builtins.len` or `os.read`. Functions look builtins up in the `__builtins__` of their module,
which is a private copy here; all else the driver's modules take by `from ... import`, once, before user code runs.
"""

import builtins
import sys
from importlib.machinery import PathFinder, SourceFileLoader

PACKAGE = "autolith_driver"
PRIVATE_BUILTINS = dict(vars(builtins))


class PrivateLoader(SourceFileLoader):
    """Loads a module of the driver."""

    def exec_module(self, module):
        """Runs the module's code with the private builtins."""
        module.__builtins__ = PRIVATE_BUILTINS
        super().exec_module(module)


class PrivateFinder:
    """Finds modules of the driver, and nothing else."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        """The spec of a driver module; None for all others."""
        if name.partition(".")[0] != PACKAGE:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = PrivateLoader(spec.loader.name, spec.loader.path)
        return spec


def main():
    """Loads the driver, takes every trace of it from `sys`, and serves."""
    descriptor = int(sys.argv[1])
    sys.meta_path.insert(0, PrivateFinder)
    from autolith_driver.driver import Driver

    sys.meta_path.remove(PrivateFinder)
    del sys.path[0]
    sys.argv[:] = [""]
    Driver(descriptor).serve()


if __name__ == "__main__":
    main()
