"""Processes that are connected to this one by two pipes, and those among them that are idle."""

from __future__ import annotations

import os
import subprocess
import weakref
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Generic, TypeVar

_GRACE = 5.0
"""Seconds to wait for a killed process to end."""


class PipedProcess:
    """A running process, which is killed when this object is deleted.

    If this process is killed, the pipes close, by which the other one notices that it has to end.
    """

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        """Start a command without the environment, open files or terminal of this process.

        Raises:
            OSError: the process could not be started.
        """
        # The callers take no part of a command from users.
        self._process = subprocess.Popen(  # noqa: S603
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            cwd="/",
            bufsize=0,
        )
        self._end = weakref.finalize(self, _kill, self._process)
        _running.add(self)
        if self._process.stdin is None or self._process.stdout is None:
            raise OSError("the process has no pipes")
        self.pipes = self._process.stdout.fileno(), self._process.stdin.fileno()
        """The file descriptors to read from and to write to."""

    @property
    def id(self) -> int:
        """The process id."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether the process is running and was started by this process, not before a fork."""
        return self._end.alive and self._process.poll() is None

    def kill(self) -> None:
        """Kill the process at once."""
        self._end()

    def exit_status(self) -> int:
        """Wait for a process that is ending, kill it otherwise, and return its exit status.

        The status is the negative number of a signal if one ended the process; 0 if it did not end.
        """
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_GRACE)
        status = self._process.returncode or 0
        self.kill()
        return status

    def leave(self) -> None:
        """Release the process after a fork, in the child; the parent continues to use it."""
        self._end.detach()
        self._process.returncode = 0
        _close_pipes(self._process)


_running: weakref.WeakSet[PipedProcess] = weakref.WeakSet()


def _leave_all() -> None:
    """Close the pipes in a forked copy of this process, where they would keep the others alive."""
    for process in list(_running):
        process.leave()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_leave_all)


def _kill(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    with suppress(subprocess.TimeoutExpired):
        process.wait(_GRACE)
    _close_pipes(process)


def _close_pipes(process: subprocess.Popen[bytes]) -> None:
    for pipe in (process.stdin, process.stdout):
        if pipe:
            with suppress(OSError):
                pipe.close()


P = TypeVar("P", bound=PipedProcess)


class IdleProcesses(Generic[P]):
    """Processes that wait for work. Safe to use from several threads."""

    def __init__(self, most: int) -> None:
        """Keep at most ``most`` processes."""
        self._most = most
        # The methods of a deque are atomic, so no lock is needed that a fork could leave locked.
        self._idle: deque[P] = deque()

    def take(self) -> P | None:
        """Return an idle process, or None if there is none that is alive."""
        while self._idle:
            with suppress(IndexError):
                if (process := self._idle.pop()).is_alive:
                    return process
        return None

    def give_back(self, process: P) -> None:
        """Keep a process that is idle now, or kill it if enough others are idle."""
        if len(self._idle) < self._most:
            self._idle.append(process)
        else:
            process.kill()

    def close(self) -> None:
        """Kill all idle processes."""
        while self._idle:
            with suppress(IndexError):
                self._idle.pop().kill()
