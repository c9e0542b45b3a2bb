"""Worker processes that run Lua, and the pool of idle ones."""

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
    # Memory freed by one page is reused by the next one without a system call.
    "trim_threshold": 16 * 1024 * 1024,
    "top_pad": 1024 * 1024,
    # A Lua state frees its memory in small blocks, which should be merged immediately.
    "mxfast": 0,
}
_ENVIRONMENT: Mapping[str, str] = MappingProxyType(
    {
        "TZ": "UTC",
        "LC_ALL": "C.UTF-8",
        # Only the GNU C library reads this variable.
        "GLIBC_TUNABLES": ":".join(f"glibc.malloc.{key}={n}" for key, n in _MALLOC.items()),
    }
)
_KILL_TIMEOUT = 5.0
"""Seconds to wait for a killed process to end."""


class LuaMissing(Exception):
    """lupa, the library that contains Lua, is not installed."""


class WorkerProcess:
    """A running worker process. Used by one thread at a time."""

    def __init__(self) -> None:
        """Start the process without the environment, open files or terminal of the server.

        Raises:
            LuaMissing: Lua is not installed.
            OSError: the process could not be started.
        """
        command = [sys.executable, "-I", "-S", "-c", _START, str(_HERE), lua_folder()]
        # No part of the command is user input.
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
        self.page_numbers: Iterator[int] = count(1)
        """The numbers by which messages refer to pages."""
        self.has_site_facts = False
        """Whether the worker has received the facts about the wiki."""
        self._finalizer = weakref.finalize(self, _kill, self._process)

    @property
    def id(self) -> int:
        """The process id."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether the process is still running."""
        return self._process.poll() is None

    def send(self, message: Any) -> None:
        """Send a message.

        Raises:
            Disconnected: the worker has ended.
        """
        self.channel.send(message)

    def kill(self) -> None:
        """Kill the process."""
        self._finalizer()

    def detach(self) -> None:
        """Keep the process running when this object is deleted.

        It belongs to the parent process of this one, which started it and still uses it.
        """
        self._finalizer.detach()

    def exit_status(self) -> int:
        """Wait for the process to end, and return its exit status.

        The status is the negative number of a signal if one terminated the process.
        """
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_KILL_TIMEOUT)
        code = self._process.returncode
        self.kill()
        return 0 if code is None else code


def _kill(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    with suppress(subprocess.TimeoutExpired):
        process.wait(_KILL_TIMEOUT)
    for pipe in (process.stdin, process.stdout):
        if pipe:
            with suppress(OSError):
                pipe.close()


def lua_folder() -> str:
    """Return the folder in which lupa, the library that contains Lua, is installed.

    Raises:
        LuaMissing: lupa is not installed.
    """
    spec = importlib.util.find_spec("lupa")
    if spec is None or spec.origin is None:
        raise LuaMissing("Lua is not installed: pip install 'wikiapi-server[lua]'")
    return str(Path(spec.origin).parent.parent)


_MAX_IDLE = 8


class WorkerPool:
    """The idle workers of one site. A rendering that runs Lua takes one and then gives it back."""

    def __init__(self) -> None:
        """Create a pool without workers."""
        self._idle: list[WorkerProcess] = []
        self._lock = Lock()
        self._owner = os.getpid()
        self.started = 0
        """The number of workers started so far."""

    def take(self) -> WorkerProcess:
        """Return an idle worker, or start one.

        Raises:
            LuaMissing: Lua is not installed.
            OSError: the process could not be started.
        """
        with self._lock:
            self._drop_inherited_workers()
            while self._idle:
                worker = self._idle.pop()
                if worker.is_alive:
                    return worker
            self.started += 1
        return WorkerProcess()

    def give_back(self, worker: WorkerProcess) -> None:
        """Add a worker to the idle ones, or kill it if enough others are idle."""
        with self._lock:
            self._drop_inherited_workers()
            if len(self._idle) < _MAX_IDLE:
                self._idle.append(worker)
                return
        worker.kill()

    def close(self) -> None:
        """Kill all idle workers."""
        with self._lock:
            idle, self._idle = self._idle, []
        for worker in idle:
            worker.kill()

    def _drop_inherited_workers(self) -> None:
        """Drop, after a fork, the workers of the parent process, which still uses them."""
        if self._owner != os.getpid():
            self._owner = os.getpid()
            for worker in self._idle:
                worker.detach()
            self._idle = []
