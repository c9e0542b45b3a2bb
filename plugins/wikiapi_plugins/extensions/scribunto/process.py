"""A worker process as the server sees it."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import weakref
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import count
from pathlib import Path
from threading import Lock
from types import MappingProxyType
from typing import Any

from wikiapi_plugins.extensions.scribunto.worker.wire import Channel

_START = "import sys; sys.path[:0] = sys.argv[1:]; from worker.main import main; main()"
_HERE = Path(__file__).parent
_MALLOC = {
    # What one page gave back the next one takes: the system is asked for less.
    "trim_threshold": 16 * 1024 * 1024,
    "top_pad": 1024 * 1024,
    # A state gives back all it has in small pieces, which are best joined at once.
    "mxfast": 0,
}
_ENVIRONMENT: Mapping[str, str] = MappingProxyType(
    {
        "TZ": "UTC",
        "LC_ALL": "C.UTF-8",
        # Read by the GNU library; others overlook it.
        "GLIBC_TUNABLES": ":".join(f"glibc.malloc.{key}={n}" for key, n in _MALLOC.items()),
    }
)
_GRACE = 5.0
"""Seconds in which a process that was killed must be gone."""


class LuaMissing(Exception):
    """The library that brings Lua is not installed."""


class WorkerProcess:
    """A running worker. Used by one thread at a time."""

    def __init__(self) -> None:
        """Start it: without our environment, our files or our terminal.

        Raises:
            LuaMissing: there is no Lua to be had.
            OSError: the system does not start it.
        """
        command = [sys.executable, "-I", "-S", "-c", _START, str(_HERE), lua_folder()]
        # Nothing of the command comes from outside.
        self._process = subprocess.Popen(  # noqa: S603
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_ENVIRONMENT,
            cwd="/",
        )
        if self._process.stdin is None or self._process.stdout is None:
            raise OSError("the worker has no pipes")
        self.channel = Channel(self._process.stdout.fileno(), self._process.stdin.fileno())
        self.pages: Iterator[int] = count(1)
        self.knows_site = False
        """Whether it was told of the wiki."""
        self._finalizer = weakref.finalize(self, _end, self._process)

    @property
    def id(self) -> int:
        """The process id."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether it is still running."""
        return self._process.poll() is None

    def ask(self, message: Any) -> None:
        """Send a message."""
        self.channel.send(message)

    def kill(self) -> None:
        """End it at once."""
        self._finalizer()

    def disown(self) -> None:
        """Leave it to the process that started it: this one is a copy of that."""
        self._finalizer.detach()

    def returned(self) -> int:
        """How it has ended: its status, or the negative number of the signal that ended it."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_GRACE)
        code = self._process.returncode
        self.kill()
        return 0 if code is None else code


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    with suppress(subprocess.TimeoutExpired):
        process.wait(_GRACE)
    for pipe in (process.stdin, process.stdout):
        if pipe:
            # What could not be sent to the dead is lost.
            with suppress(OSError):
                pipe.close()


def lua_folder() -> str:
    """Where the library is that brings Lua.

    Raises:
        LuaMissing: it is not installed.
    """
    spec = importlib.util.find_spec("lupa")
    if spec is None or spec.origin is None:
        raise LuaMissing("Lua is not installed: pip install 'wikiapi[lua]'")
    return str(Path(spec.origin).parent.parent)


_MOST_IDLE = 8


class WorkerPool:
    """The workers of one site: a rendering takes one when it first needs it, and gives it back."""

    def __init__(self) -> None:
        """Start with none."""
        self._idle: list[WorkerProcess] = []
        self._lock = Lock()
        self._owner = os.getpid()
        self.started = 0
        """How many were ever started."""

    def take(self) -> WorkerProcess:
        """A worker that nobody else uses.

        Raises:
            LuaMissing: there is no Lua to be had.
            OSError: the system does not start one.
        """
        with self._lock:
            self._forget_parent()
            while self._idle:
                worker = self._idle.pop()
                if worker.is_alive:
                    return worker
            self.started += 1
        return WorkerProcess()

    def give_back(self, worker: WorkerProcess) -> None:
        """Let somebody else use it."""
        with self._lock:
            self._forget_parent()
            if len(self._idle) < _MOST_IDLE:
                self._idle.append(worker)
                return
        worker.kill()

    def close(self) -> None:
        """End all that are idle."""
        with self._lock:
            idle, self._idle = self._idle, []
        for worker in idle:
            worker.kill()

    def _forget_parent(self) -> None:
        """After a fork the workers are the parent's, who goes on using them."""
        if self._owner != os.getpid():
            self._owner = os.getpid()
            for worker in self._idle:
                worker.disown()
            self._idle = []
