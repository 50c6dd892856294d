"""Folds the phases of a test (set-up, call, tear-down, sub-tests, repeats) into one status. PYTEST_DONT_REWRITE"""

# A later phase replaces the status of an earlier one only when it ranks higher.
_RANK = {"passed": 0, "skipped": 1, "xfailed": 2, "xpassed": 2, "failed": 3, "error": 3}


class Fold:
    """The state of one test while its phases come in."""

    def __init__(self, nodeid):
        self.nodeid = nodeid
        self.status = None
        self.duration = 0.0
        self.message = ""
        self.details = None

    def add(self, report):
        """Takes one phase. An attempt that is repeated (`rerun`) and a sub-test that did not fail decide nothing."""
        self.duration += report.duration
        is_part = hasattr(report, "context") and report.outcome != "failed"
        if report.outcome == "rerun" or is_part:
            return
        status = status_of(report)
        details = getattr(report, "_autolith", None)
        if details and status == "passed":
            # Some other plugin calls a phase passed in which an exception was raised.
            status = "failed"
        if report.when in ("setup", "teardown") and status == "passed":
            return
        if self.status is None or _RANK[status] > _RANK[self.status]:
            self.status, self.details = status, details
            self.message = "" if status == "passed" else text_of(report)


def status_of(report):
    """The status of one phase, as pytest itself counts it."""
    is_expected = hasattr(report, "wasxfail")
    if report.outcome == "skipped":
        return "xfailed" if is_expected else "skipped"
    if report.outcome == "passed":
        return "xpassed" if is_expected else "passed"
    return "failed" if report.when == "call" else "error"


def text_of(report):
    """What the runner prints for the phase."""
    longrepr = report.longrepr
    if isinstance(longrepr, tuple) and len(longrepr) == 3:
        return str(longrepr[2])
    if not longrepr:
        return str(getattr(report, "wasxfail", ""))
    text = report.longreprtext if hasattr(report, "longreprtext") else str(longrepr)
    for title, content in getattr(report, "sections", ())[-6:]:
        text += "\n--- %s ---\n%s" % (title, content[-2000:])
    return text
