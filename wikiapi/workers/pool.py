"""The server's side of worker processes: starts them, sends them jobs, and kills them."""

from __future__ import annotations

import logging
import select
import signal
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import wikiapi
from wikiapi.workers.process import IdleProcesses, PipedProcess
from wikiapi.workers.wire import Channel, Disconnected, TimedOut

logger = logging.getLogger("wikiapi.workers")

_START = """\
import sys
task, memory, file_bytes = sys.argv[1:4]
sys.path = sys.argv[4:]
from wikiapi.workers.child import main
main(task, int(memory), int(file_bytes))
"""
_ENVIRONMENT: Mapping[str, str] = MappingProxyType({"TZ": "UTC", "LC_ALL": "C.UTF-8"})
_PAUSE = 5.0
"""Seconds to wait before starting a process again after one could not be started."""
_EXTERNAL_SIGNALS = frozenset({signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP})
"""Signals that end a process for reasons other than its job, which may succeed if repeated."""


class WorkerError(Exception):
    """A job returned no result."""


class JobFailed(WorkerError):
    """A job raised an error or exceeded its limits; repeating it would fail as well."""

    def __init__(self, reason: str, seconds: float) -> None:
        """Store the reason, and the seconds of processor time that the job took."""
        super().__init__(reason)
        self.seconds = seconds


class WorkerUnavailable(WorkerError):
    """No process could be started, or it did not answer in time; the job may succeed later."""


class _CannotStart(WorkerUnavailable):
    """A process could not be started, and a second attempt would fail as well."""


class Done(NamedTuple):
    """The outcome of a job."""

    result: Any
    seconds: float
    """processor time that the job took."""


class Limits(NamedTuple):
    """What a process may use."""

    seconds: float
    """processor time of one job."""
    memory: int
    """Bytes beyond what the process uses before its first job."""
    file_bytes: int = 0
    """The largest size of a file that the process may write; 0 for no files."""


class WorkerPool:
    """Processes that run jobs of one kind. Safe to use from several threads.

    A process is started when a job arrives and none is idle. It runs further jobs until it is
    killed or this process ends. If this process is killed, the pipe closes and the worker ends too.
    """

    def __init__(self, task: Path, limits: Limits, most_idle: int = 4) -> None:
        """Create a pool without processes.

        Args:
            task: the module that runs the jobs, see :mod:`wikiapi.workers`.
            limits: what a process may use.
            most_idle: how many idle processes are kept.
        """
        self.limits = limits
        self.task = task
        self._idle: IdleProcesses[_Worker] = IdleProcesses(most_idle)
        self._not_before = 0.0
        self.started = 0
        """The number of processes started so far."""

    def run(self, job: Any, patience: float) -> Done:
        """Run a job in a worker.

        Args:
            job: JSON data.
            patience: seconds to wait for the result; the limit on processor time applies as well.

        Raises:
            JobFailed: the job raised an error or exceeded its limits.
            WorkerUnavailable: no process could be started, or it did not answer in time.
        """
        end = time.monotonic() + patience
        worker = self._take(patience)
        try:
            done = worker.run(job, self.limits.seconds, end - time.monotonic())
        except BaseException:
            if not worker.is_ready:
                worker.kill()
            else:
                self._idle.give_back(worker)
            raise
        self._idle.give_back(worker)
        return done

    def close(self) -> None:
        """Kill the idle processes."""
        self._idle.close()

    def _take(self, patience: float) -> _Worker:
        if (worker := self._idle.take()) is not None:
            return worker
        if time.monotonic() < self._not_before:
            raise WorkerUnavailable("a process could not be started a moment ago")
        self.started += 1
        try:
            return _Worker(self.task, self.limits, patience)
        except _CannotStart as error:
            self._not_before = time.monotonic() + _PAUSE
            logger.warning("%s cannot run: %s", self.task.stem, error)
            raise


class _Worker(PipedProcess):
    """A running process. Used by one thread at a time."""

    def __init__(self, task: Path, limits: Limits, patience: float) -> None:
        """Start the process without the environment, open files or terminal of this one.

        Raises:
            WorkerUnavailable: the process could not be started, or was not ready in time.
        """
        if not hasattr(select, "poll"):
            raise _CannotStart("this system cannot wait for pipes")
        # The worker's import path is that of this process.
        places = [*map(Path, filter(None, sys.path)), Path(wikiapi.__file__).parents[1]]
        import_path = [str(place.absolute()) for place in places]
        arguments = [str(task), str(limits.memory), str(limits.file_bytes), *import_path]
        try:
            super().__init__(
                [sys.executable, "-I", "-S", "-B", "-c", _START, *arguments], _ENVIRONMENT
            )
        except OSError as error:
            raise _CannotStart(str(error)) from error
        self._channel = Channel(*self.pipes)
        self.is_ready = False
        """Whether the process is waiting for a job."""
        try:
            self._channel.receive(patience)
        except TimedOut:
            self.kill()
            raise WorkerUnavailable(f"not started in {patience:.3g} seconds") from None
        except Disconnected:
            self.kill()
            raise _CannotStart("it cannot load its task") from None
        self.is_ready = True

    def run(self, job: Any, seconds: float, patience: float) -> Done:
        """Run a job within ``seconds`` of processor time; wait ``patience`` seconds at most."""
        end = time.monotonic() + patience
        self.is_ready = False
        try:
            self._channel.send({"job": job, "seconds": seconds}, patience)
            answer: dict[str, Any] = self._channel.receive(end - time.monotonic())
        except TimedOut:
            raise WorkerUnavailable(f"not done in {patience:.3g} seconds") from None
        except Disconnected:
            raise self._ended(seconds) from None
        self.is_ready = not answer.get("out_of_memory")
        if "failed" in answer:
            raise JobFailed(answer["failed"], answer["seconds"])
        return Done(answer["result"], answer["seconds"])

    def _ended(self, seconds: float) -> WorkerError:
        """Return the error that describes how the process ended."""
        code = self.exit_status()
        if code == -signal.SIGPROF:
            return JobFailed(f"not done in {seconds:g} seconds of processor time", seconds)
        if code >= 0 or -code in _EXTERNAL_SIGNALS:
            return WorkerUnavailable(f"it ended with status {code}")
        return JobFailed(f"it was ended by signal {-code}", seconds)
