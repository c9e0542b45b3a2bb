"""A seccomp filter, with which Linux denies a process all system calls except a few.

The filter is a BPF program that reads the number of the system call, the architecture and the
arguments; see ``seccomp(2)`` and ``linux/seccomp.h``.
"""

from __future__ import annotations

import ctypes
import platform
import struct
import sys
from typing import NamedTuple


class _Architecture(NamedTuple):
    """An architecture: its identifier in the kernel, and its numbers of system calls."""

    identifier: int
    mmap: int
    allowed: tuple[int, ...]


_ARCHITECTURES = {
    "x86_64": _Architecture(
        0xC000003E,
        9,
        (
            *(0, 1, 3, 5, 7, 271),  # read, write, close, fstat, poll, ppoll
            *(11, 12, 25, 28),  # munmap, brk, mremap, madvise
            *(13, 14, 15, 131),  # rt_sigaction, rt_sigprocmask, rt_sigreturn, sigaltstack
            *(24, 202, 219),  # sched_yield, futex, restart_syscall
            *(36, 38, 39),  # getitimer, setitimer, getpid
            *(96, 201, 228, 229),  # gettimeofday, time, clock_gettime, clock_getres
            *(60, 231, 318),  # exit, exit_group, getrandom
        ),
    ),
    "aarch64": _Architecture(
        0xC00000B7,
        222,
        (
            *(63, 64, 57, 80, 73),  # read, write, close, fstat, ppoll
            *(215, 214, 216, 233),  # munmap, brk, mremap, madvise
            *(134, 135, 139, 132),  # rt_sigaction, rt_sigprocmask, rt_sigreturn, sigaltstack
            *(124, 98, 128),  # sched_yield, futex, restart_syscall
            *(102, 103, 172),  # getitimer, setitimer, getpid
            *(169, 113, 114),  # gettimeofday, clock_gettime, clock_getres
            *(93, 94, 278),  # exit, exit_group, getrandom
        ),
    ),
}

# Instructions of classic BPF, and offsets in the structure that describes a system call.
_LOAD, _JUMP_IF_EQUAL, _JUMP_IF_ANY_BIT, _RETURN = 0x20, 0x15, 0x45, 0x06
_NUMBER_OFFSET, _ARCHITECTURE_OFFSET, _THIRD_ARGUMENT_OFFSET = 0, 4, 32
_ALLOW = 0x7FFF0000
_DENY = 0x00050000 | 1
_EXECUTABLE = 4

# Operations of prctl(2), and the mode of the first.
_SET_SECCOMP, _SET_NO_NEW_PRIVILEGES = 22, 38
_FILTER = 2


class _Program(ctypes.Structure):
    """The kernel's ``sock_fprog``."""

    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def install_filter() -> bool:
    """Deny all system calls that a worker does not need; return whether the system supports it.

    A worker may read and write open files, allocate memory that is not executable, read clocks and
    exit.
    """
    architecture = _ARCHITECTURES.get(platform.machine())
    if architecture is None or not sys.platform.startswith("linux") or sys.maxsize < 2**32:
        return False
    # A jump states how many instructions to skip if its condition is true, and if it is false.
    calls = architecture.allowed
    instructions = [
        _instruction(_LOAD, _ARCHITECTURE_OFFSET),
        _instruction(_JUMP_IF_EQUAL, architecture.identifier, 1, 0),
        _instruction(_RETURN, _DENY),
        _instruction(_LOAD, _NUMBER_OFFSET),
        _instruction(_JUMP_IF_EQUAL, architecture.mmap, len(calls) + 1, 0),
        *(
            _instruction(_JUMP_IF_EQUAL, call, len(calls) - index + 2, 0)
            for index, call in enumerate(calls)
        ),
        _instruction(_RETURN, _DENY),
        _instruction(_LOAD, _THIRD_ARGUMENT_OFFSET),
        _instruction(_JUMP_IF_ANY_BIT, _EXECUTABLE, 1, 0),
        _instruction(_RETURN, _ALLOW),
        _instruction(_RETURN, _DENY),
    ]
    program = _Program(len(instructions), b"".join(instructions))
    prctl = ctypes.CDLL(None).prctl
    prctl.argtypes = (ctypes.c_int, *[ctypes.c_ulong] * 4)
    address = ctypes.addressof(program)
    return not prctl(_SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0) and not prctl(
        _SET_SECCOMP, _FILTER, address, 0, 0
    )


def _instruction(operation: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", operation, if_true, if_false, value)
