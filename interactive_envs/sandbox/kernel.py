"""What the Linux kernel offers against code that is not trusted: Landlock, seccomp and prctl, through ctypes.

The zygote imports this file by itself, so it knows nothing of the package.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
import sys
from typing import Final

LANDLOCK_CREATE, LANDLOCK_RESTRICT = 444, 446
"""The same numbers on every architecture."""
_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_SECCOMP, _PR_SET_NO_NEW_PRIVS = 1, 4, 22, 38
_SECCOMP_MODE_FILTER, _SECCOMP_GET_ACTION_AVAIL = 2, 2
_ALLOW, _ERRNO, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_CAPABILITY_VERSION = 0x20080522
_PROT_EXEC = 4

AUDIT_ARCH: Final = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
SECCOMP: Final = {"x86_64": 317, "aarch64": 277}
CAPSET: Final = {"x86_64": 126, "aarch64": 91}
ALLOWED: Final = {
    "x86_64": {
        "read": 0, "write": 1, "close": 3, "munmap": 11, "brk": 12, "rt_sigaction": 13, "rt_sigprocmask": 14,
        "rt_sigreturn": 15, "sched_yield": 24, "mremap": 25, "madvise": 28, "nanosleep": 35, "getpid": 39, "exit": 60,
        "umask": 95, "gettimeofday": 96, "getrusage": 98, "times": 100, "getuid": 102, "getgid": 104, "geteuid": 107,
        "getegid": 108, "sigaltstack": 131, "gettid": 186, "time": 201, "futex": 202, "restart_syscall": 219,
        "clock_gettime": 228, "clock_getres": 229, "clock_nanosleep": 230, "exit_group": 231, "getrandom": 318,
    },
    "aarch64": {
        "read": 63, "write": 64, "close": 57, "munmap": 215, "brk": 214, "rt_sigaction": 134, "rt_sigprocmask": 135,
        "rt_sigreturn": 139, "sched_yield": 124, "mremap": 216, "madvise": 233, "nanosleep": 101, "getpid": 172,
        "exit": 93, "umask": 166, "gettimeofday": 169, "getrusage": 165, "times": 153, "getuid": 174, "getgid": 176,
        "geteuid": 175, "getegid": 177, "sigaltstack": 132, "gettid": 178, "futex": 98, "restart_syscall": 128,
        "clock_gettime": 113, "clock_getres": 114, "clock_nanosleep": 115, "exit_group": 94, "getrandom": 278,
    },
}  # fmt: skip
"""System calls that need no look at their arguments; what is in no table here is refused."""
MAPPING: Final = {"x86_64": {"mmap": 9, "mprotect": 10}, "aarch64": {"mmap": 222, "mprotect": 226}}
"""Allowed unless they make memory executable."""
PRLIMIT: Final = {"x86_64": 302, "aarch64": 261}
"""Allowed for reading one's own limits."""
FORKING: Final = {
    "x86_64": {"clone": 56, "fork": 57, "vfork": 58, "clone3": 435},
    "aarch64": {"clone": 220, "clone3": 435},
}
"""Refused as if too many processes ran, so that the reason can be distinguished from a forbidden call."""

_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long


class _FilterProgram(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_char_p)]


def _syscall(number: int, *arguments: object) -> int:
    result = int(_libc.syscall(ctypes.c_long(number), *arguments))
    if result < 0:
        raise OSError(ctypes.get_errno(), f"system call {number}: {os.strerror(ctypes.get_errno())}")
    return result


def _prctl(option: int, *arguments: object) -> None:
    padded = [*arguments, *[ctypes.c_ulong(0)] * (4 - len(arguments))]
    if _libc.prctl(ctypes.c_int(option), *padded) < 0:
        raise OSError(ctypes.get_errno(), f"prctl {option}: {os.strerror(ctypes.get_errno())}")


def landlock_abi() -> int:
    """The version of Landlock that the running kernel has switched on; 0 without it.

    Docs: https://docs.kernel.org/userspace-api/landlock.html.
    """
    try:
        return _syscall(LANDLOCK_CREATE, None, ctypes.c_size_t(0), ctypes.c_uint32(1))
    except OSError:
        return 0


def landlock_ruleset(abi: int) -> int:
    """A descriptor of a ruleset that allows no file, no TCP port and no signal to the outside."""
    files = (1 << 13) - 1
    for since, bit in ((2, 13), (3, 14), (5, 15)):
        files |= (abi >= since) << bit
    attributes = struct.pack("=QQQ", files, 0b11, 0b11)[: 8 if abi < 4 else 16 if abi < 6 else 24]
    return _syscall(LANDLOCK_CREATE, attributes, ctypes.c_size_t(len(attributes)), ctypes.c_uint32(0))


def landlock_restrict(ruleset: int) -> None:
    """Put this process under the ruleset, for good."""
    _syscall(LANDLOCK_RESTRICT, ctypes.c_int(ruleset), ctypes.c_uint32(0))


def seccomp_works() -> bool:
    """Whether filters can be installed here and this architecture has a table."""
    machine = platform.machine()
    if machine not in ALLOWED or sys.maxsize < 2**32:
        return False
    action = ctypes.c_uint32(_ERRNO)
    try:
        _syscall(SECCOMP[machine], ctypes.c_uint(_SECCOMP_GET_ACTION_AVAIL), ctypes.c_uint(0), ctypes.byref(action))
    except OSError:
        return False
    return True


def seccomp_program(machine: str | None = None) -> bytes:
    """The filter: the calls in the tables, and nothing else."""
    machine = machine or platform.machine()
    load, jump_equal, jump_at_least, jump_bits, answer = 0x20, 0x15, 0x35, 0x45, 0x06
    denied, busy = _ERRNO | errno.EPERM, _ERRNO | errno.EAGAIN

    def step(code: int, k: int, true: int = 0, false: int = 0) -> bytes:
        return struct.pack("=HBBI", code, true, false, k)

    def argument(index: int, high: bool = False) -> bytes:
        return step(load, 16 + 8 * index + 4 * high)

    def when(number: int, *block: bytes) -> bytes:
        return step(jump_equal, number, 0, len(block)) + b"".join(block)

    program = step(load, 4) + step(jump_equal, AUDIT_ARCH[machine], 1, 0) + step(answer, _KILL)
    # The numbers of x32, a second table of the same architecture, start there.
    program += step(load, 0) + step(jump_at_least, 0x40000000, 0, 1) + step(answer, _KILL)
    for number in MAPPING[machine].values():
        program += when(number, argument(2), step(jump_bits, _PROT_EXEC, 0, 1), step(answer, denied),
                        step(answer, _ALLOW))  # fmt: skip
    program += when(PRLIMIT[machine], argument(0), step(jump_equal, 0, 0, 5), argument(2), step(jump_equal, 0, 0, 3),
                    argument(2, high=True), step(jump_equal, 0, 0, 1), step(answer, _ALLOW),
                    step(answer, denied))  # fmt: skip
    for number in ALLOWED[machine].values():
        program += when(number, step(answer, _ALLOW))
    for number in FORKING[machine].values():
        program += when(number, step(answer, busy))
    return program + step(answer, denied)


def seccomp_install(program: bytes) -> None:
    """Put this process under the filter, for good; it must have no new privileges."""
    filled = _FilterProgram(len(program) // 8, program)
    _prctl(_PR_SET_SECCOMP, ctypes.c_ulong(_SECCOMP_MODE_FILTER), ctypes.byref(filled))


def hide_memory() -> None:
    """Keep other processes of the same user from tracing this one and its children, and from dumping them."""
    _prctl(_PR_SET_DUMPABLE, ctypes.c_ulong(0))


def die_with_parent() -> None:
    """Ask to be killed when the parent ends; a change of user undoes this."""
    _prctl(_PR_SET_PDEATHSIG, ctypes.c_ulong(9))


def drop_privileges() -> None:
    """Give up every capability, and the way to get one back."""
    _prctl(_PR_SET_NO_NEW_PRIVS, ctypes.c_ulong(1))
    machine = platform.machine()
    if machine in CAPSET:
        _syscall(CAPSET[machine], struct.pack("=Ii", _CAPABILITY_VERSION, 0), bytes(24))
