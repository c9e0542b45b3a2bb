"""Batches of work done in processes of their own, so that every core has something to do.

Batches go round the processes in turn, and their results come back in the order in which they went:
what is made of them is the same whatever the number of processes. Each process has two batches at
most, so memory does not depend on how many there are.

A process that dies, as one does that the system kills for its memory, is started again, and its
batches are worked on again. If it dies twice in one batch, the run ends with an error that names
what it was working on.
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
"""Takes the name of what a process begins to work on, which is told if it dies."""

Make = Callable[[Begin], Callable[[Batch], Result]]
"""Makes, in a process, the function that works on a batch."""

# Per process: one batch that it works on, and one that waits for it.
_AHEAD = 2
_MOST_DEATHS = 2
_NAME_BYTES = 600
_SECONDS_TO_END = 3.0
"""How long a process may go on with its batch when the others are no longer wanted."""


class BatchFailed(Exception):
    """A process raised an error, or died twice in one batch: the text says which."""


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

    def __init__(self, workers: list[_Worker]) -> None:
        """Let these processes work."""
        self._workers = workers

    def run(self, batches: Iterable[Batch]) -> Iterator[Result]:
        """Yield the result of each batch, in their order.

        Raises:
            BatchFailed: a process failed, or died twice in one batch.
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
    """Start processes that end with the block.

    Args:
        make: makes, in each process, the function that works on a batch; it is sent to the
            processes, so it must be something that pickle knows.
        count: how many processes.
    """
    workers: list[_Worker] = []
    try:
        for _ in range(count):  # one by one: if one cannot be started, those before it are ended
            workers.append(_Worker(make))  # noqa: PERF401
        yield BatchWorkers(workers)
    finally:
        for worker in workers:
            worker.disconnect()
        until = monotonic() + _SECONDS_TO_END
        for worker in workers:
            worker.end(until)


class _Worker:
    """A running process, and the batches whose results it has not returned yet."""

    def __init__(self, make: Make[Any, Any]) -> None:
        # A forked process would share the database connection, which SQLite does not survive.
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
        """Let the process work on a batch."""
        self._batches.append(batch)
        self._send(batch)

    def _send(self, batch: Any) -> None:
        # That the process is dead is seen when its next result is wanted.
        with suppress(OSError):
            self._connection.send(batch)

    def result(self) -> Any:
        """Return the result of the oldest batch.

        Raises:
            BatchFailed: the process failed, or died twice.
        """
        for death in range(1, _MOST_DEATHS + 1):
            try:
                answer = self._connection.recv()
                break
            except (EOFError, OSError):
                self._replace(is_last=death == _MOST_DEATHS)
        if isinstance(answer, _Failure):
            raise BatchFailed(answer.text)
        self._batches.popleft()
        for record in answer.records:
            logging.getLogger(record.name).handle(record)
        return answer.result

    def _replace(self, *, is_last: bool) -> None:
        """Start another process in place of one that has died, with the batches of that.

        Raises:
            BatchFailed: ``is_last`` says that none shall be started any more.
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
        """Let the process end after its batch."""
        self._connection.close()

    def end(self, until: float) -> None:
        """Wait for the end of the process until a moment of ``monotonic``, then end it."""
        self._process.join(max(0.0, until - monotonic()))
        if self._process.is_alive():
            self._process.terminate()
            self._process.join()


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Block Ctrl-C in this thread, and in new processes until they say what it means to them."""
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
    # The first process decides what Ctrl-C means; this one ends when its connection does.
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
    except Exception as error:  # is sent to the first process, which raises it
        connection.send(_Failure(f"{type(error).__name__}: {error}"))
