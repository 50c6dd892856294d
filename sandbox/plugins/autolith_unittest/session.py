"""What this process runs, from its start to its end."""

import os
import platform
import sys

from autolith_report.failure import FailureReader
from autolith_report.guarded import guarded
from autolith_report.records import Records
from autolith_report.report_file import ReportFile
from autolith_report.selection import Selection
from autolith_report.stacks import register_stacks

from .ids import Ids
from .order import arrange, tests_of
from .watch import Watch


class Session:
    """Made before any code of the repository; takes our variables out of the environment."""

    def __init__(self):
        workspace = os.environ.pop("AUTOLITH_WORKSPACE", "/work")
        wanted = os.environ.pop("AUTOLITH_INPUT", None)
        self.reader = FailureReader(workspace)
        self.records = Records(ReportFile(os.environ.pop("AUTOLITH_REPORT")), workspace)
        self.ids = Ids(self.reader, self.records)
        self._selection = Selection.read(wanted) if wanted else Selection()
        self._shuffle = self._selection.shuffler()
        self._watch = None
        self._is_open = self._has_run = False
        self._getpid, self._pid = os.getpid, os.getpid()
        register_stacks(os.environ.pop("AUTOLITH_STACKS", None))
        if _is_program(getattr(sys, "orig_argv", ())):
            self._start()

    def begin(self, test, result):
        """Watches the result when nothing is being watched; False inside of a run, and in a forked child."""
        if self._watch is not None or self._getpid() != self._pid:
            return False
        self._watch = Watch(self, result)
        guarded(arrange, test, self._is_chosen, self._shuffle)
        self._has_run = True
        self._start()
        guarded(self._watch.collected, tests_of(test))
        self._watch.attach()
        return True

    def end(self, result):
        """Writes the closing record; a run that is broken off has none."""
        self._close(0 if guarded(result.wasSuccessful) else 1)

    def leave(self):
        """Lets go of the result."""
        self._watch.detach()
        self._watch = None

    def died(self, error, traceback):
        """Writes the test file that an error kept from being loaded, in a process that has run nothing yet."""
        if self._has_run or self._getpid() != self._pid or not (self._is_open or _is_test_script()):
            return
        file = self.ids.file_that_failed(error)
        exception = self.reader.exception(error, traceback)
        self._start()
        if file is None:
            self.records.problem(exception["frames"][0]["file"] if exception["frames"] else "", exception)
        else:
            self.records.test(file, file, "error", 0, "", {"exception": exception})
        self._close(1)

    def _start(self):
        if not self._is_open:
            self._is_open = True
            self.records.start("unittest", platform.python_version())

    def _close(self, status):
        self._is_open = False
        self.records.close(status)

    def _is_chosen(self, test):
        return self._selection.holds(self.ids.of(test)[0])


def _is_program(argv):
    """True for `python -m unittest`, also below another program such as coverage."""
    return any(each == "unittest" and argv[at][:1] == "-" and argv[at][-1:] == "m" for at, each in enumerate(argv[1:]))


def _is_test_script():
    """True when the program is a file that speaks of unittest."""
    try:
        with open(sys.modules["__main__"].__file__, encoding="utf-8", errors="replace") as file:
            return "unittest" in file.read(1_000_000)
    except (AttributeError, KeyError, OSError, TypeError):
        return False
