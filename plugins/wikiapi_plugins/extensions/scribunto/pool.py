"""Workers that wait for their next page."""

from __future__ import annotations

import os
from threading import Lock

from wikiapi_plugins.extensions.scribunto.process import WorkerProcess

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
