"""Which tests run, in which order, and whether they tell what they reach."""

import json
import os


class Selection:
    """Ids to run: a test's own, or that of a file, folder, class or parametrised test that holds it. None: all."""

    def __init__(self, select=None, seed=None, reach=False):
        self.select = None if select is None else frozenset(map(str, select))
        self.seed = seed
        self.reach = reach
        self._files = frozenset(each.split("::")[0] for each in self.select or ())

    def below(self, folder):
        """The same selection for ids that are relative to a folder of the workspace; ids outside of it stay."""
        start = folder + "/"
        if self.select is None or folder == "." or folder.startswith(".."):
            return self
        return Selection([each[len(start):] if each.startswith(start) else each for each in self.select], self.seed)

    @classmethod
    def read(cls, path):
        """The selection of the input file. Raises OSError or ValueError."""
        with open(path, encoding="utf-8") as file:
            wanted = json.load(file)
        return cls(wanted.get("select"), wanted.get("shuffleSeed"), wanted.get("reach") is True)

    def may_hold(self, path):
        """False for a file, relative to the root folder, that holds no selected test."""
        if self.select is None or os.path.basename(path) == "__init__.py":
            return True
        file = path.replace(os.sep, "/")
        return file in self._files or not self.select.isdisjoint(_holders(file))

    def holds(self, nodeid):
        """True for a test that runs."""
        return self.select is None or not self.select.isdisjoint(_holders(nodeid))

    def split(self, items):
        """`(chosen, others)`, the chosen ones in the order in which they shall run."""
        chosen = [item for item in items if self.holds(item.nodeid)]
        others = [] if self.select is None else [item for item in items if not self.holds(item.nodeid)]
        self.shuffler()(chosen)
        return chosen, others

    def shuffler(self):
        """A function that brings a list into the order of the seed, in place; each call goes on with the sequence."""
        if self.seed is None:
            return lambda items: None
        # Only here: a module of the repository that is called `random` must hide the library's as it does in CI.
        from random import Random
        return Random(self.seed).shuffle


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
