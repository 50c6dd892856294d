"""Takes from this process, and from all that it starts, what could be turned against the supervisor."""

import ctypes
import resource

from seccomp_filter import assemble

REQUIRED = ("non-dumpable", "seccomp")
_PR_GET_DUMPABLE = 3
_PR_SET_DUMPABLE = 4
_PR_SET_SECCOMP = 22
_PR_SET_CHILD_SUBREAPER = 36
_PR_SET_NO_NEW_PRIVS = 38
_SECCOMP_MODE_FILTER = 2


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_char_p)]


def harden():
    """Makes this process unreadable for others of its user, and installs the filter; names what is in force."""
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    prctl.argtypes = [ctypes.c_int] + [ctypes.c_void_p] * 4
    in_force = []
    if prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 and prctl(_PR_GET_DUMPABLE, 0, 0, 0, 0) == 0:
        in_force.append("non-dumpable")
    if prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 and _install_filter(prctl):
        in_force.append("seccomp")
    # Process 1 inherits orphans anyway; an ordinary process has to ask for them.
    prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    return in_force


def limit_file_size(most):
    """Lets no process write a single file of more bytes: room can be taken faster than the watchdog looks."""
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    if hard == resource.RLIM_INFINITY or most < hard:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))


def _install_filter(prctl):
    try:
        instructions = assemble()
    except KeyError:
        return False
    program = _Program(len(instructions) // 8, instructions)
    return prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.addressof(program), 0, 0) == 0
