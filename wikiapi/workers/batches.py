"""Distributes batches of work over several processes, to use every core.

Batches are assigned to the processes in turn, and results are returned in the order of the batches,
so the outcome does not depend on the number of processes. Each process holds at most two batches,
so memory does not grow with the number of batches.

A process that dies, for example because the system killed it for its memory, is replaced, and its
batches are processed again. If that process dies in the same batch too, the run ends with an error
that names the item it was working on.
"""

from __future__ import annotations

import logging
import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import cycle
from logging.handlers import QueueHandler
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from time import monotonic
from typing import Any, Generic, NamedTuple, TypeVar

logger = logging.getLogger(__name__)

Batch = TypeVar("Batch")
Result = TypeVar("Result")

Begin = Callable[[str], None]
"""Called with the name of each item before a process works on it; the name is reported if the
process dies."""

Make = Callable[[Begin], Callable[[Batch], Result]]
"""Called in each process; returns the function that processes a batch."""

# Per process: one batch that it works on, and one that is queued.
_AHEAD = 2
_MAX_CRASHES = 2
_NAME_BYTES = 600
_SECONDS_TO_END = 3.0
"""How long a process may take to finish its current batch before it is terminated."""


class BatchFailed(Exception):
    """A process raised an error, or processes died twice in one batch; the text has the details."""


class _Failure(NamedTuple):
    text: str


class _Answer(NamedTuple):
    """What a process returns for a batch: the result, and the log records of the work."""

    result: Any
    records: list[logging.LogRecord]


class _Recorder(QueueHandler):
    """Collects the log records of a worker process, for the main process to handle."""

    def __init__(self) -> None:
        super().__init__(None)  # type: ignore[arg-type]
        self._records: list[logging.LogRecord] = []

    def enqueue(self, record: logging.LogRecord) -> None:
        self._records.append(record)

    def take(self) -> list[logging.LogRecord]:
        """Return the records since the last call."""
        records, self._records = self._records, []
        return records


class BatchWorkers(Generic[Batch, Result]):
    """Running processes, started by :func:`batch_workers`."""

    def __init__(self, workers: list[_Worker]) -> None:
        """Use these processes."""
        self._workers = workers

    def run(self, batches: Iterable[Batch]) -> Iterator[Result]:
        """Yield the result of each batch, in the order of the batches.

        Raises:
            BatchFailed: a process raised an error, or processes died twice in one batch.
        """
        waiting: deque[_Worker] = deque()
        workers = cycle(self._workers)
        for batch in batches:
            if len(waiting) >= _AHEAD * len(self._workers):
                yield waiting.popleft().result()
            worker = next(workers)
            worker.send(batch)
            waiting.append(worker)
        while waiting:
            yield waiting.popleft().result()


@contextmanager
def batch_workers(make: Make[Batch, Result], count: int) -> Iterator[BatchWorkers[Batch, Result]]:
    """Start processes, and end them when the block is left.

    Args:
        make: called in each process; returns the function that processes a batch. It must be
            picklable, since it is sent to the processes.
        count: the number of processes.
    """
    workers: list[_Worker] = []
    try:
        for _ in range(count):  # one by one: if one cannot be started, the earlier ones are ended
            workers.append(_Worker(make))  # noqa: PERF401
        yield BatchWorkers(workers)
    finally:
        for worker in workers:
            worker.disconnect()
        until = monotonic() + _SECONDS_TO_END
        for worker in workers:
            worker.end(until)


class _Worker:
    """A running process, and the batches that it has not returned a result for yet."""

    def __init__(self, make: Make[Any, Any]) -> None:
        # SQLite does not allow a connection to be shared with a forked process.
        self._context = multiprocessing.get_context("spawn")
        self._make = make
        self._batches: deque[Any] = deque()
        self._name = self._context.RawArray("c", _NAME_BYTES)
        self._process, self._connection = self._started()

    def _started(self) -> tuple[BaseProcess, Connection]:
        """Return a new process, and the connection to it."""
        self._name.value = b""
        ours, theirs = self._context.Pipe()
        process = self._context.Process(
            target=_work, args=(self._make, theirs, self._name), daemon=True
        )
        with _without_interrupts():
            process.start()
        theirs.close()
        return process, ours

    def send(self, batch: Any) -> None:
        """Send a batch to the process."""
        self._batches.append(batch)
        self._send(batch)

    def _send(self, batch: Any) -> None:
        # If the process has died, `result` notices it.
        with suppress(OSError):
            self._connection.send(batch)

    def result(self) -> Any:
        """Return the result of the oldest batch.

        Raises:
            BatchFailed: the process raised an error, or it died and so did its replacement.
        """
        for crash in range(1, _MAX_CRASHES + 1):
            try:
                answer = self._connection.recv()
                break
            except (EOFError, OSError):
                self._replace(is_last=crash == _MAX_CRASHES)
        if isinstance(answer, _Failure):
            raise BatchFailed(answer.text)
        self._batches.popleft()
        for record in answer.records:
            logging.getLogger(record.name).handle(record)
        return answer.result

    def _replace(self, *, is_last: bool) -> None:
        """Replace a process that has died, and send its batches to the new one.

        Raises:
            BatchFailed: ``is_last`` is true, so no other process may be started.
        """
        self.disconnect()
        self.end(monotonic() + _SECONDS_TO_END)
        name = self._name.value.decode("utf-8", "replace")
        how = f"a process has died, with {_cause(self._process.exitcode)}"
        where = f"while it worked on {name!r}" if name else "before it began to work"
        if is_last:
            raise BatchFailed(f"{how}, {where}, and so did the one before it")
        logger.warning("%s, %s: another one takes its place", how, where)
        self._process, self._connection = self._started()
        for batch in self._batches:
            self._send(batch)

    def disconnect(self) -> None:
        """Close the connection, so that the process ends after its current batch."""
        self._connection.close()

    def end(self, until: float) -> None:
        """Wait for the process to end, and terminate it at ``until``, a time of ``monotonic``."""
        self._process.join(max(0.0, until - monotonic()))
        if self._process.is_alive():
            self._process.terminate()
            self._process.join()


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Block SIGINT in this thread, and in processes started here until they set a handler."""
    if not hasattr(signal, "pthread_sigmask"):  # on Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _cause(code: int | None) -> str:
    if code is None or code >= 0:
        return f"exit status {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"


def _work(make: Make[Any, Any], connection: Connection, name: Any) -> None:
    # Only the main process handles Ctrl-C; this one ends when its connection is closed.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    recorder = _Recorder()
    logging.getLogger().addHandler(recorder)

    def begin(what: str) -> None:
        name.value = what.encode("utf-8", "replace")[: _NAME_BYTES - 1]

    try:
        work = make(begin)
        while True:
            result = work(connection.recv())
            connection.send(_Answer(result, recorder.take()))
    except (EOFError, OSError):
        return
    except Exception as error:  # the main process raises it as BatchFailed
        connection.send(_Failure(f"{type(error).__name__}: {error}"))
