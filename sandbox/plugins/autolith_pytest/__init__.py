"""Autolith's report plugin for pytest 5.4 and later. PYTEST_DONT_REWRITE

Loaded by `-p autolith_pytest`. Writes JSON lines to the file that AUTOLITH_REPORT names; AUTOLITH_INPUT may name a file
with the ids to run and a seed for their order. Changes nothing in pytest's output, and leaves no variable of its own
for processes that tests start.
"""

import sys

import pytest

from autolith_report.guarded import guarded

from .session import SESSION, imported

_WORKER_KEY = "autolith"
_VERSION = tuple(int(part) for part in pytest.__version__.split(".")[:2])


@pytest.hookimpl(hookwrapper=True)
def pytest_load_initial_conftests(early_config):
    """Notes a conftest.py that cannot be imported: pytest then stops before it has a session."""
    SESSION.begin(early_config)
    outcome = yield
    if outcome.excinfo is not None and SESSION.recorder is not None:
        guarded(SESSION.conftest_problem, outcome.excinfo[1])


@pytest.hookimpl(trylast=True)
def pytest_configure(config):
    """An xdist worker learns its selection from the controller."""
    SESSION.move_cache(config)
    if SESSION.is_worker:
        wanted = getattr(config, "workerinput", {}).get(_WORKER_KEY) or {}
        SESSION.select(wanted.get("select"), wanted.get("seed"))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes(specs):
    """Has xdist workers load the plugin too: they read the options again, which our environment no longer holds."""
    for spec in specs:
        spec.env["PYTEST_ADDOPTS"] = SESSION.options


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node):
    """Hands the selection to an xdist worker, whose environment no longer names it."""
    select, seed = SESSION.selection.select, SESSION.selection.seed
    node.workerinput[_WORKER_KEY] = {"select": None if select is None else sorted(select), "seed": seed}


def pytest_sessionstart(session):
    """Keeps the session, to ask it which paths the command line names."""
    SESSION.pytest_session = session


if _VERSION >= (7, 0):

    def pytest_ignore_collect(collection_path):
        """Leaves out files without a selected test, so that they are not even imported."""
        return SESSION.ignores(collection_path)

else:

    def pytest_ignore_collect(path):
        """Leaves out files without a selected test, so that they are not even imported."""
        return SESSION.ignores(path)


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Selects and shuffles after all other plugins had their say on the order."""
    yield
    chosen, others = SESSION.selection.split(items)
    if others:
        config.hook.pytest_deselected(items=others)
    items[:] = chosen


def pytest_collection_finish(session):
    """Notes what is going to run; with xdist the controller collects nothing itself."""
    if SESSION.recorder is not None and session.items:
        SESSION.recorder.collected([SESSION.recorder.id_of(item.nodeid) for item in session.items])


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_node_collection_finished(ids):
    """Notes what the first xdist worker collected; the others must collect the same."""
    if SESSION.recorder is not None and not SESSION.has_worker_ids:
        SESSION.has_worker_ids = True
        SESSION.recorder.collected([SESSION.recorder.id_of(each) for each in ids])


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_make_collect_report(collector):
    """Adds the exception to a collection report that failed."""
    outcome = yield
    if outcome.excinfo is None:
        report = outcome.get_result()
        excinfo = getattr(getattr(report, "call", None), "excinfo", None)
        if report.failed and excinfo is not None:
            report._autolith = {"exception": guarded(SESSION.reader.exception, imported(excinfo.value))}


def pytest_collectreport(report):
    """Notes files that could not be collected."""
    if SESSION.recorder is not None and (report.failed or report.skipped):
        SESSION.recorder.collect_problem(report)


def pytest_assertrepr_compare(op, left, right):
    """Sees the operands of every comparison that fails; explains none."""
    if SESSION.recorder is not None or SESSION.is_worker:
        guarded(SESSION.comparison.remember, _assertion_frame(), op, left, right)


def _assertion_frame():
    """The frame of the rewritten assertion, which is told by the helper that the rewriting puts into its module."""
    frame = sys._getframe(1)
    while frame is not None and "@pytest_ar" not in frame.f_globals:
        frame = frame.f_back
    return frame


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_protocol():
    """Listens to what a test reaches, if somebody asked."""
    SESSION.reach.start()
    yield
    SESSION.reach.stop()


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_makereport(item, call):
    """Adds exception and operands to a phase that failed."""
    outcome = yield
    if outcome.excinfo is None and call.excinfo is not None:
        report = outcome.get_result()
        if report.outcome != "skipped":
            details = guarded(SESSION.details, call.excinfo) or {"exception": None}
            report._autolith = {**details, "reached": SESSION.reach.files()}


@pytest.hookimpl(trylast=True)
def pytest_runtest_logreport(report):
    """Takes one phase of a test."""
    if SESSION.recorder is not None:
        SESSION.recorder.phase(report)


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_sessionfinish(session):
    """Closes the report once every other plugin has settled the exit status."""
    yield
    if SESSION.recorder is not None:
        SESSION.recorder.end(int(session.exitstatus))
