"""Calls that may fail without harm."""


def guarded(function, *arguments):
    """None instead of an error: what is reported may suffer from hostile objects, the tests may not."""
    try:
        return function(*arguments)
    except Exception:
        return None
