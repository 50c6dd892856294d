"""The one pytest session of this process that the plugin was loaded for. PYTEST_DONT_REWRITE"""

import os
import shutil

import pytest

from autolith_report.failure import FailureReader
from autolith_report.report_file import ReportFile
from autolith_report.selection import Selection
from autolith_report.stacks import register_stacks

from .reach import Reach
from .recorder import Comparison, Recorder

CACHE = "/tmp/.pytest_cache"
OPTIONS = "-p autolith_pytest"


class _Session:
    """State between hooks. Made when the plugin is loaded, before any code of the repository."""

    def __init__(self):
        self.is_worker = "PYTEST_XDIST_WORKER" in os.environ
        self.workspace = os.environ.get("AUTOLITH_WORKSPACE", "/work")
        self.reader = FailureReader(self.workspace)
        self.selection = Selection()
        self.comparison = Comparison()
        self.reach = Reach(self.workspace, self.reader.is_own)
        self.recorder = None
        self.has_worker_ids = False
        self.pytest_session = None
        self._root = ""
        self._report = None
        self._take_environment()
        register_stacks(os.environ.get("AUTOLITH_STACKS"))

    def _take_environment(self):
        """Reads our variables and removes them: a pytest that a test starts is not the one that reports."""
        path, wanted = os.environ.pop("AUTOLITH_REPORT", None), os.environ.pop("AUTOLITH_INPUT", None)
        self.options = os.environ.pop("PYTEST_ADDOPTS", "")
        others = self.options.replace(OPTIONS, "").strip()
        if others:
            os.environ["PYTEST_ADDOPTS"] = others
        if self.is_worker:
            return
        if path:
            self._report = ReportFile(path)
        if wanted:
            self.selection = Selection.read(wanted)
            if self.selection.reach:
                self.reach.open()
        # CI starts without a cache: what `--last-failed` chooses must not depend on the run before.
        shutil.rmtree(CACHE, ignore_errors=True)

    def begin(self, config):
        """Opens the report, once the root folder is known."""
        self._root = str(getattr(config, "rootpath", None) or config.rootdir)
        folder = os.path.relpath(os.path.realpath(self._root), os.path.realpath(self.workspace)).replace(os.sep, "/")
        self.selection = self.selection.below(folder)
        if self._report is not None:
            self.recorder = Recorder(self._report, self.workspace, self._root)
            self.recorder.start("pytest", pytest.__version__)

    def move_cache(self, config):
        """Keeps pytest's cache out of the workspace. With `-p no:cacheprovider` its options would be unknown."""
        cache = getattr(config, "cache", None)
        if hasattr(cache, "_cachedir"):
            cache._cachedir = type(cache._cachedir)(CACHE)

    def select(self, ids, seed):
        """Takes the selection from the controller of an xdist worker."""
        self.selection = Selection(ids, seed)

    def ignores(self, path):
        """True for a file that need not be imported; None when others shall decide."""
        session = self.pytest_session
        if self.selection.select is None or session is None or session.isinitpath(path):
            return None
        if not os.path.isfile(str(path)):
            return None
        return None if self.selection.may_hold(os.path.relpath(str(path), self._root)) else True

    def details(self, excinfo):
        """Exception and operands of a failure."""
        assertion = None
        if issubclass(excinfo.type, AssertionError):
            assertion = self.comparison.of(excinfo.tb, str(excinfo.traceback[-1].statement))
            assertion = assertion or self.reader.operands_in(excinfo.tb)
        return {"exception": self.reader.exception(excinfo.value, excinfo.tb), "assertion": assertion}

    def conftest_problem(self, error):
        """Writes a conftest.py that cannot be imported."""
        if type(error).__name__ == "ConftestImportFailure":
            self.recorder.problem(str(error.path), self.reader.exception(imported(error)))


def imported(error):
    """The error of the module itself, where pytest has wrapped it."""
    inner = None
    if type(error).__name__ == "CollectError":
        inner = error.__cause__ or error.__context__
    elif type(error).__name__ == "ConftestImportFailure":
        inner = getattr(error, "cause", None) or error.excinfo[1]
    return error if inner is None else imported(inner)


SESSION = _Session()
