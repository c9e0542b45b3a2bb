"""Worker processes that run Lua, and the pool of idle ones."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator, Mapping
from itertools import count
from pathlib import Path
from types import MappingProxyType
from typing import Any

from wikiapi.workers import IdleProcesses, PipedProcess
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


class LuaMissing(Exception):
    """lupa, the library that contains Lua, is not installed."""


class WorkerProcess(PipedProcess):
    """A running worker process. Used by one thread at a time."""

    def __init__(self) -> None:
        """Start the process.

        Raises:
            LuaMissing: Lua is not installed.
            OSError: the process could not be started.
        """
        command = [sys.executable, "-I", "-S", "-c", _START, str(_HERE), lua_folder()]
        super().__init__(command, _ENVIRONMENT)
        self.channel = Channel(*self.pipes)
        self.page_numbers: Iterator[int] = count(1)
        """The numbers by which messages refer to pages."""
        self.has_site_facts = False
        """Whether the worker has received the facts about the wiki."""

    def send(self, message: Any) -> None:
        """Send a message.

        Raises:
            Disconnected: the worker has ended.
        """
        self.channel.send(message)


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
        self._idle: IdleProcesses[WorkerProcess] = IdleProcesses(_MAX_IDLE)
        self.started = 0
        """The number of workers started so far."""

    def take(self) -> WorkerProcess:
        """Return an idle worker, or start one.

        Raises:
            LuaMissing: Lua is not installed.
            OSError: the process could not be started.
        """
        if (worker := self._idle.take()) is not None:
            return worker
        self.started += 1
        return WorkerProcess()

    def give_back(self, worker: WorkerProcess) -> None:
        """Add a worker to the idle ones, or kill it if enough others are idle."""
        self._idle.give_back(worker)

    def close(self) -> None:
        """Kill all idle workers."""
        self._idle.close()
