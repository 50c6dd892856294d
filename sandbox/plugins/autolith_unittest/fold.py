"""Folds what a result is told about one test (its body, tear-down, sub-tests) into one status."""

_RANK = {"passed": 0, "skipped": 1, "xfailed": 2, "error": 3, "failed": 4}


class Fold:
    """The state of one test while it runs."""

    def __init__(self, start, output=""):
        self.start, self.output = start, output
        self.is_alone = True
        self.status = None
        self.message = ""
        self.details = None

    def add(self, status, message, details):
        """Takes one outcome. A later one counts only when it is worse."""
        if self.status is None or _RANK[status] > _RANK[self.status]:
            self.status, self.message, self.details = status, message, details
