"""Worker processes, and the pool in which they wait for the next page."""

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
    # Memory that one page frees is used by the next one, without a system call.
    "trim_threshold": 16 * 1024 * 1024,
    "top_pad": 1024 * 1024,
    # A state frees its memory in small pieces, which are best joined at once.
    "mxfast": 0,
}
_ENVIRONMENT: Mapping[str, str] = MappingProxyType(
    {
        "TZ": "UTC",
        "LC_ALL": "C.UTF-8",
        # Read by the GNU C library; others ignore it.
        "GLIBC_TUNABLES": ":".join(f"glibc.malloc.{key}={n}" for key, n in _MALLOC.items()),
    }
)
_KILL_TIMEOUT = 5.0
"""Seconds to wait for a killed process to end."""


class LuaMissing(Exception):
    """The library that contains Lua is not installed."""


class WorkerProcess:
    """A running worker. Used by one thread at a time."""

    def __init__(self) -> None:
        """Start it, without the server's environment, files or terminal.

        Raises:
            LuaMissing: Lua is not installed.
            OSError: the system does not start a process.
        """
        command = [sys.executable, "-I", "-S", "-c", _START, str(_HERE), lua_folder()]
        # No part of the command comes from a request.
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
        """Whether it has received the facts of the wiki."""
        self._finalizer = weakref.finalize(self, _end, self._process)

    @property
    def id(self) -> int:
        """The process id."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether it is still running."""
        return self._process.poll() is None

    def send(self, message: Any) -> None:
        """Send a message."""
        self.channel.send(message)

    def kill(self) -> None:
        """End it at once."""
        self._finalizer()

    def disown(self) -> None:
        """Leave it running when this object ends: the parent process, which started it, uses it."""
        self._finalizer.detach()

    def returned(self) -> int:
        """Return its exit status, or the negative number of the signal that ended it."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_KILL_TIMEOUT)
        code = self._process.returncode
        self.kill()
        return 0 if code is None else code


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    with suppress(subprocess.TimeoutExpired):
        process.wait(_KILL_TIMEOUT)
    for pipe in (process.stdin, process.stdout):
        if pipe:
            with suppress(OSError):
                pipe.close()


def lua_folder() -> str:
    """Return the folder of the library that contains Lua.

    Raises:
        LuaMissing: it is not installed.
    """
    spec = importlib.util.find_spec("lupa")
    if spec is None or spec.origin is None:
        raise LuaMissing("Lua is not installed: pip install 'wikiapi-server[lua]'")
    return str(Path(spec.origin).parent.parent)


_MAX_IDLE = 8


class WorkerPool:
    """The idle workers of one site: a rendering takes one when it needs it, and gives it back."""

    def __init__(self) -> None:
        """Start with none."""
        self._idle: list[WorkerProcess] = []
        self._lock = Lock()
        self._owner = os.getpid()
        self.started = 0
        """How many were started so far."""

    def take(self) -> WorkerProcess:
        """Return a worker for one rendering.

        Raises:
            LuaMissing: Lua is not installed.
            OSError: the system does not start a process.
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
        """Make a worker available again; it ends if enough others are idle."""
        with self._lock:
            self._forget_parent()
            if len(self._idle) < _MAX_IDLE:
                self._idle.append(worker)
                return
        worker.kill()

    def close(self) -> None:
        """End all idle workers."""
        with self._lock:
            idle, self._idle = self._idle, []
        for worker in idle:
            worker.kill()

    def _forget_parent(self) -> None:
        """Forget, after a fork, the workers of the parent process, which goes on using them."""
        if self._owner != os.getpid():
            self._owner = os.getpid()
            for worker in self._idle:
                worker.disown()
            self._idle = []
