"""Which tests of a suite run, and in which order."""

from unittest.suite import BaseTestSuite


def tests_of(test):
    """The tests of a suite and of the suites in it, in their order."""
    if not isinstance(test, BaseTestSuite):
        return [] if test is None else [test]
    return [inner for each in test for inner in tests_of(each)]


def arrange(suite, is_chosen, shuffle):
    """Leaves the chosen tests in a suite, and shuffles what lies beside each other in it: modules, classes, tests.

    So each class is still set up once.
    """
    if not isinstance(suite, BaseTestSuite):
        return
    kept = []
    for each in list(suite):
        if isinstance(each, BaseTestSuite):
            arrange(each, is_chosen, shuffle)
            if tests_of(each):
                kept.append(each)
        elif each is not None and is_chosen(each):
            kept.append(each)
    shuffle(kept)
    suite._tests = kept
