"""Autolith's report plugin for unittest of Python 3.8 and later; see `start/sitecustomize.py` for how it is loaded.

Writes JSON lines to the file that AUTOLITH_REPORT names; AUTOLITH_INPUT may name a file with the ids to run and a seed
for their order. Changes nothing in unittest's output, and leaves no variable of its own for processes that tests start.
"""

import functools
import sys
import unittest

from autolith_report.guarded import guarded

from .session import Session


def install():
    """Watches the tests of this process, whoever starts them: unittest's own program, or a script of the repository."""
    session = Session()
    for kind in (unittest.suite.BaseTestSuite, unittest.TestCase):
        kind.__call__ = _outermost(kind.__call__, session)
    failed_test = unittest.loader._FailedTest
    failed_test.__init__ = _with_cause(failed_test.__init__)
    sys.excepthook = _hook(sys.excepthook, session)


def _outermost(original, session):
    """Calls of a test or a suite; the outermost one is a run."""

    @functools.wraps(original)
    def call(self, *args, **kwds):
        result = args[0] if args else kwds.get("result")
        if result is None or not session.begin(self, result):
            return original(self, *args, **kwds)
        try:
            returned = original(self, *args, **kwds)
            session.end(result)
            return returned
        finally:
            session.leave()

    return call


def _with_cause(original):
    """Keeps the error that unittest turns into text when it makes a test of a module that cannot be imported."""

    @functools.wraps(original)
    def init(self, method_name, exception):
        original(self, method_name, exception)
        self._autolith_cause = sys.exc_info()[1] or exception

    return init


def _hook(original, session):
    def died(kind, error, traceback):
        guarded(session.died, error, traceback)
        original(kind, error, traceback)

    return died
