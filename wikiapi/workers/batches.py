"""Batches of work done in processes of their own, so that every core has something to do.

Batches go round the processes in turn, and their results come back in the order in which they went:
what is made of them is the same whatever the number of processes.
"""

from __future__ import annotations

import logging
import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import cycle
from logging.handlers import QueueHandler
from multiprocessing.connection import Connection
from typing import Any, Generic, NamedTuple, TypeVar

Batch = TypeVar("Batch")
Result = TypeVar("Result")

# Per process: one batch that it works on, and one that waits for it.
_AHEAD = 2


class BatchFailed(Exception):
    """A process raised an error, which is the text, or died: then there is none."""


class _Failure(NamedTuple):
    text: str


class _Answer(NamedTuple):
    """What a process returns for a batch: the result, and what was logged meanwhile."""

    result: Any
    records: list[logging.LogRecord]


class _Recorder(QueueHandler):
    """Collects what a process logs, so that the first process logs it."""

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
    """Running processes. Made by :func:`batch_workers`."""

    def __init__(self, connections: list[Connection]) -> None:
        """Communicate with processes over these connections."""
        self._connections = connections

    def run(self, batches: Iterable[Batch]) -> Iterator[Result]:
        """Yield the result of each batch, in their order.

        Raises:
            BatchFailed: a process failed or died.
        """
        waiting: deque[Connection] = deque()
        workers = cycle(self._connections)
        for batch in batches:
            if len(waiting) >= _AHEAD * len(self._connections):
                yield _received(waiting.popleft())
            worker = next(workers)
            _send(worker, batch)
            waiting.append(worker)
        while waiting:
            yield _received(waiting.popleft())


@contextmanager
def batch_workers(
    make: Callable[[], Callable[[Batch], Result]], count: int
) -> Iterator[BatchWorkers[Batch, Result]]:
    """Start processes that end with the block.

    Args:
        make: makes, in each process, the function that works on a batch; it is sent to the
            processes, so it must be something that pickle knows.
        count: how many processes.
    """
    # A forked process would share the database connection, which SQLite does not survive.
    context = multiprocessing.get_context("spawn")
    pairs = [context.Pipe() for _ in range(count)]
    processes = [
        context.Process(target=_work, args=(make, theirs), daemon=True) for _, theirs in pairs
    ]
    try:
        for process in processes:
            process.start()
        for _, theirs in pairs:
            theirs.close()
        yield BatchWorkers([ours for ours, _ in pairs])
    finally:
        for ours, _ in pairs:
            ours.close()
        for process in processes:
            if process.pid is not None:
                process.join()


def _send(worker: Connection, batch: Any) -> None:
    try:
        worker.send(batch)
    except OSError as error:
        raise BatchFailed from error


def _received(worker: Connection) -> Any:
    try:
        answer = worker.recv()
    except (EOFError, OSError) as error:
        raise BatchFailed from error
    if isinstance(answer, _Failure):
        raise BatchFailed(answer.text)
    for record in answer.records:
        logging.getLogger(record.name).handle(record)
    return answer.result


def _work(make: Callable[[], Callable[[Any], Any]], connection: Connection) -> None:
    # The first process decides what Ctrl-C means; this one ends when its connection does.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    recorder = _Recorder()
    logging.getLogger().addHandler(recorder)
    try:
        work = make()
        while True:
            result = work(connection.recv())
            connection.send(_Answer(result, recorder.take()))
    except (EOFError, OSError):
        return
    except Exception as error:  # is sent to the first process, which raises it
        connection.send(_Failure(f"{type(error).__name__}: {error}"))
