"""A filter in Linux that refuses a process all system calls but a few.

The filter is a program for the kernel's packet filter, which sees the number of a call, the kind of
processor and the arguments; ``seccomp(2)`` and ``linux/seccomp.h`` describe it.
"""

from __future__ import annotations

import ctypes
import platform
import struct
import sys
from typing import NamedTuple


class _Machine(NamedTuple):
    """A kind of processor: the kernel's name for it, and the numbers of calls there."""

    name: int
    mmap: int
    harmless: tuple[int, ...]


_MACHINES = {
    "x86_64": _Machine(
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
    "aarch64": _Machine(
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

# Operations of the kernel's packet filter, and where it finds what of a call.
_LOAD, _IF_EQUAL, _IF_ANY_BIT, _RETURN = 0x20, 0x15, 0x45, 0x06
_NUMBER, _MACHINE, _THIRD_ARGUMENT = 0, 4, 32
_ALLOW = 0x7FFF0000
_NOT_PERMITTED = 0x00050000 | 1
_EXECUTABLE = 4

# What prctl(2) does.
_SET_SECCOMP, _SET_NO_NEW_PRIVILEGES = 22, 38
_FILTER = 2


class _Program(ctypes.Structure):
    """The kernel's ``sock_fprog``."""

    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def refuse_calls() -> bool:
    """Make the kernel refuse all system calls that a worker never needs; return whether it does.

    What is left: reading and writing what is open, memory that holds no code, clocks, the end.
    """
    machine = _MACHINES.get(platform.machine())
    if machine is None or not sys.platform.startswith("linux") or sys.maxsize < 2**32:
        return False
    instructions = _instructions(machine)
    program = _Program(len(instructions), b"".join(instructions))
    prctl = ctypes.CDLL(None).prctl
    prctl.argtypes = (ctypes.c_int, *[ctypes.c_ulong] * 4)
    address = ctypes.addressof(program)
    return not prctl(_SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0) and not prctl(
        _SET_SECCOMP, _FILTER, address, 0, 0
    )


def _instructions(machine: _Machine) -> list[bytes]:
    """Return the program; a jump has the numbers of instructions to skip if true, and if false."""
    calls = machine.harmless
    return [
        _instruction(_LOAD, _MACHINE),
        _instruction(_IF_EQUAL, machine.name, 1, 0),
        _instruction(_RETURN, _NOT_PERMITTED),
        _instruction(_LOAD, _NUMBER),
        _instruction(_IF_EQUAL, machine.mmap, len(calls) + 1, 0),
        *(
            _instruction(_IF_EQUAL, call, len(calls) - index + 2, 0)
            for index, call in enumerate(calls)
        ),
        _instruction(_RETURN, _NOT_PERMITTED),
        _instruction(_LOAD, _THIRD_ARGUMENT),
        _instruction(_IF_ANY_BIT, _EXECUTABLE, 1, 0),
        _instruction(_RETURN, _ALLOW),
        _instruction(_RETURN, _NOT_PERMITTED),
    ]


def _instruction(operation: int, value: int, if_so: int = 0, if_not: int = 0) -> bytes:
    return struct.pack("=HBBI", operation, if_so, if_not, value)
