"""Ids of tests: `tests/test_shop.py::Case::test_total`, whatever name the module was loaded under."""

import os
import sys
import unittest


class Ids:
    """Finds the file that a test lies in. `reader` knows the workspace's own files, `records` writes their paths."""

    def __init__(self, reader, records):
        self._reader, self._records = reader, records

    def of(self, test):
        """`(id, file)` of a test; of a module that could not be loaded both are its file, where that is known."""
        if is_failed(test):
            file = self.file_that_failed(test._autolith_cause) or self._file_of_module(test._testMethodName)
            return (file, file) if file else (test.id(), "")
        kind = type(test)
        if kind.__name__ == "ModuleSkipped" and kind.__module__ == "unittest.loader":
            file = self._file_of_module(test._testMethodName)
            return (file, file) if file else (test.id(), "")
        if hasattr(test, "_dt_test"):
            file = self._relative(test._dt_test.filename)
            return "%s::%s" % (file, test.id()), file
        if isinstance(test, unittest.FunctionTestCase):
            file = self._relative(test._testFunc.__code__.co_filename)
            return "%s::%s" % (file, test._testFunc.__qualname__.replace(".", "::")), file
        file = self._relative(getattr(sys.modules.get(kind.__module__), "__file__", None))
        names = "::".join([kind.__qualname__.replace(".", "::"), getattr(test, "_testMethodName", "")])
        return (("%s::%s" % (file, names), file) if file else (test.id(), ""))

    def file_that_failed(self, error):
        """The outermost file of the workspace that an error came through, or the one that has no valid syntax.

        None when there is none, and for the `__init__.py` of a package, which holds no tests that could turn green.
        """
        traceback = error.__traceback__
        while traceback is not None and not self._reader.is_own(traceback.tb_frame.f_code.co_filename):
            traceback = traceback.tb_next
        if traceback is not None:
            file = traceback.tb_frame.f_code.co_filename
        else:
            file = error.filename if isinstance(error, SyntaxError) and error.filename else None
        return None if file is None else self._test_file(file)

    def _file_of_module(self, name):
        """A module that was found but did not load, by its dotted name."""
        for folder in sys.path:
            file = os.path.join(folder or os.getcwd(), *name.split(".")) + ".py"
            if os.path.isfile(file) and self._reader.is_own(file):
                return self._test_file(file)
        return None

    def _test_file(self, file):
        return None if os.path.basename(file) == "__init__.py" else self._relative(file)

    def _relative(self, file):
        return "" if not file else self._records.relative(os.path.realpath(file))


def is_failed(test):
    """True for the test that stands for a module or a name that could not be loaded."""
    return hasattr(test, "_autolith_cause")
