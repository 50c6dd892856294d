"""Which tests run, and in which order. PYTEST_DONT_REWRITE"""

import json
import os
import random


class Selection:
    """Ids to run: a test's own, or that of a file, folder, class or parametrised test that holds it. None: all."""

    def __init__(self, select=None, seed=None):
        self.select = None if select is None else frozenset(map(str, select))
        self.seed = seed
        self._files = frozenset(each.split("::")[0] for each in self.select or ())

    @classmethod
    def read(cls, path):
        """The selection of the input file. Raises OSError or ValueError."""
        with open(path, encoding="utf-8") as file:
            wanted = json.load(file)
        return cls(wanted.get("select"), wanted.get("shuffleSeed"))

    def may_hold(self, path):
        """False for a file, relative to the root folder, that holds no selected test."""
        if self.select is None or os.path.basename(path) == "__init__.py":
            return True
        file = path.replace(os.sep, "/")
        return file in self._files or not self.select.isdisjoint(_holders(file))

    def split(self, items):
        """`(chosen, others)`, the chosen ones in the order in which they shall run."""
        if self.select is None:
            chosen, others = list(items), []
        else:
            chosen = [item for item in items if not self.select.isdisjoint(_holders(item.nodeid))]
            others = [item for item in items if self.select.isdisjoint(_holders(item.nodeid))]
        if self.seed is not None:
            random.Random(self.seed).shuffle(chosen)
        return chosen, others


def _holders(nodeid):
    """The id itself and the ids of everything that it lies in."""
    found = {nodeid}
    path, _, inner = nodeid.partition("::")
    parts = inner.partition("[")[0].split("::") if inner else []
    found.update("::".join([path, *parts[:count]]) for count in range(len(parts) + 1))
    while "/" in path:
        path = path.rpartition("/")[0]
        found.add(path)
    return found
