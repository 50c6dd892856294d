"""A second system call filter on top of the engine's own, as BPF, for x86_64 and aarch64.

It takes from everything in the container, the supervisor included, what no build or test needs and what attacks on
the supervisor, on other processes or on the kernel start from. Numbers: the kernel's syscall_64.tbl and
asm-generic/unistd.h; the layout of seccomp_data and the return values: linux/seccomp.h.
"""

import errno
import os
import struct

_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_DENIED = {
    "x86_64": {
        "ptrace": 101, "process_vm_readv": 310, "process_vm_writev": 311, "kcmp": 312, "userfaultfd": 323,
        "perf_event_open": 298, "bpf": 321, "add_key": 248, "request_key": 249, "keyctl": 250, "mount": 165,
        "umount2": 166, "pivot_root": 155, "setns": 308, "unshare": 272,
    },
    "aarch64": {
        "ptrace": 117, "process_vm_readv": 270, "process_vm_writev": 271, "kcmp": 272, "userfaultfd": 282,
        "perf_event_open": 241, "bpf": 280, "add_key": 217, "request_key": 218, "keyctl": 219, "mount": 40,
        "umount2": 39, "pivot_root": 41, "setns": 268, "unshare": 97,
    },
}  # fmt: skip
# The same number on every architecture, as for all system calls since 424.
_DENIED_EVERYWHERE = {
    "io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427, "open_tree": 428, "move_mount": 429,
    "fsopen": 430, "fsconfig": 431, "fsmount": 432, "fspick": 433, "pidfd_getfd": 438, "process_madvise": 440,
    "mount_setattr": 442, "open_tree_attr": 467,
}  # fmt: skip
_CLONE3 = 435
_SOCKET = {"x86_64": 41, "aarch64": 198}
_PRLIMIT = {"x86_64": 302, "aarch64": 261}
_CLONE = {"x86_64": 56, "aarch64": 220}
_X32 = 0x40000000
_CLONE_NEWUSER = 0x10000000
_FAMILIES = (17, 38, 40)  # AF_PACKET, AF_ALG, AF_VSOCK

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16  # offsets; the argument's low word, little endian
_ALLOW = 0x7FFF0000
_EPERM = 0x00050000 | errno.EPERM
_ENOSYS = 0x00050000 | errno.ENOSYS


def assemble(machine=None):
    """The filter for one architecture as an array of `struct sock_filter`. Raises KeyError for one not known."""
    machine = machine or os.uname().machine
    denied = sorted([*_DENIED[machine].values(), *_DENIED_EVERYWHERE.values()])
    program = [(_LOAD, _ARCHITECTURE), (_EQUAL, _ARCHITECTURES[machine], None, "enosys"), (_LOAD, _NUMBER)]
    if machine == "x86_64":
        program.append((_AT_LEAST, _X32, "enosys", None))
    # The flags of clone3 lie in memory, where no filter sees them; C libraries fall back to clone.
    program.append((_EQUAL, _CLONE3, "enosys", None))
    program += [(_EQUAL, number, "eperm", None) for number in denied]
    program.append((_EQUAL, _SOCKET[machine], "socket", None))
    program.append((_EQUAL, _PRLIMIT[machine], "prlimit", None))
    program.append((_EQUAL, _CLONE[machine], "clone", "allow"))
    program += ["socket", (_LOAD, _FIRST_ARGUMENT)]
    program += [(_EQUAL, family, "eperm", None) for family in _FAMILIES]
    program += [(_RETURN, _ALLOW), "prlimit", (_LOAD, _FIRST_ARGUMENT), (_EQUAL, 0, "allow", "eperm")]
    program += ["clone", (_LOAD, _FIRST_ARGUMENT), (_ANY_BIT, _CLONE_NEWUSER, "eperm", "allow")]
    program += ["allow", (_RETURN, _ALLOW), "eperm", (_RETURN, _EPERM), "enosys", (_RETURN, _ENOSYS)]
    return _encode(program)


def _encode(program):
    """Strings are labels; jumps name the label to go on at, or None for the next instruction."""
    labels, instructions = {}, []
    for item in program:
        if isinstance(item, str):
            labels[item] = len(instructions)
        else:
            instructions.append(item)
    encoded = []
    for index, (code, operand, *jumps) in enumerate(instructions):
        if_true, if_false = (0 if label is None else labels[label] - index - 1 for label in jumps or (None, None))
        encoded.append(struct.pack("<HBBI", code, if_true, if_false, operand))
    return b"".join(encoded)
