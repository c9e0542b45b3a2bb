"""Processes that run functions, as an executor of :mod:`concurrent.futures`, and batches of work.

A :class:`BatchRunner` needs nothing but the interface of an executor, so that one which runs its
tasks on other machines can take the place of :class:`ProcessExecutor`:
:class:`~wikiapi.workers.cluster.ClusterExecutor` does.
"""

from __future__ import annotations

import logging
import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager, suppress
from functools import partial
from logging.handlers import QueueHandler
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from queue import Empty, SimpleQueue
from threading import Lock, Thread, local
from time import monotonic
from typing import Any, Generic, NamedTuple, ParamSpec, TypeVar
from uuid import uuid4

logger = logging.getLogger(__name__)

Batch = TypeVar("Batch")
Result = TypeVar("Result")
_Params = ParamSpec("_Params")

_MAX_CRASHES = 2
_NAME_BYTES = 600
_SECONDS_TO_END = 3.0
"""How long processes may take to finish their current tasks before they are terminated."""

_item: Any = None
"""In a worker process, the memory that holds the name of the current item."""


class BatchFailed(Exception):
    """A task raised an error, or processes died twice in it; the text has the details."""


class _Failure(NamedTuple):
    text: str


class Answer(NamedTuple):
    """What a process returns for a task: the result, and the log records of the work."""

    result: Any
    records: list[logging.LogRecord]

    def log(self) -> None:
        """Handle the records as if the work had been done in this process."""
        for record in self.records:
            logging.getLogger(record.name).handle(record)


def working_on(item: str) -> None:
    """Note the name of the item that this process begins to work on.

    It is reported if the process dies. Outside the processes of a `ProcessExecutor` nothing is
    noted.
    """
    if _item is not None:
        _item.value = item.encode("utf-8", "replace")[: _NAME_BYTES - 1]


class BatchRunner(Generic[Batch, Result]):
    """Runs batches of work with an executor, and returns the results in the order of the batches.

    The outcome does not depend on the number of processes. Memory does not grow with the number of
    batches, since only some are submitted in advance.
    """

    def __init__(
        self,
        executor: Executor,
        make: Callable[[], Callable[[Batch], Result]],
        ahead: int | Callable[[], int],
    ) -> None:
        """Prepare to run batches.

        Args:
            executor: runs the batches.
            make: called once in each process; returns the function that processes a batch. It must
                be picklable, since it is sent to the processes.
            ahead: how many batches are submitted before the first result is taken: two for each
                process let none of them wait. A function returns their number now, if processes
                may be added.
        """
        self._executor = executor
        self._ahead = ahead if callable(ahead) else lambda: ahead
        self._task = _PerProcess(make)

    def run(self, batches: Iterable[Batch]) -> Iterator[Result]:
        """Yield the result of each batch, in the order of the batches.

        Raises:
            BatchFailed: a batch raised an error, or processes died twice in it.
        """
        futures: deque[Future[Result]] = deque()
        try:
            for batch in batches:
                while len(futures) >= self._ahead():
                    yield _result(futures.popleft())
                futures.append(self._executor.submit(self._task, batch))
            while futures:
                yield _result(futures.popleft())
        finally:
            for future in futures:
                future.cancel()


def _result(future: Future[Result]) -> Result:
    try:
        return future.result()
    except BatchFailed:
        raise
    except Exception as error:
        raise BatchFailed(f"{type(error).__name__}: {error}") from error


class _PerProcess(Generic[Batch, Result]):
    """A function that each process makes once, before its first batch.

    The workers of a cluster may have several threads, each of which makes its own.
    """

    def __init__(self, make: Callable[[], Callable[[Batch], Result]]) -> None:
        self._make, self._key = make, uuid4().hex

    def __call__(self, batch: Batch) -> Result:
        if getattr(_made, "key", "") != self._key:
            _made.function = _made.key = None
            _made.function = self._make()
            _made.key = self._key
        function: Callable[[Batch], Result] = _made.function
        return function(batch)


_made = local()
"""The function that this thread has made last, and its key."""


class ProcessExecutor(Executor):
    """Processes that run functions. At the end of its block, tasks that have not ended are dropped.

    Each process has a thread, which sends it one task at a time. A process that dies, for example
    because the system killed it for its memory, is replaced, and its task is run again. If that
    process dies too, the task fails with an error that names the item it was working on.
    """

    def __init__(self, processes: int) -> None:
        """Start this number of processes.

        Raises:
            OSError: a process could not be started.
        """
        self._tasks: SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None] = SimpleQueue()
        self._workers: list[_Worker] = []
        self._is_shut_down = False
        try:
            for _ in range(processes):  # one by one: if one cannot be started, the others are ended
                self._workers.append(_Worker())
        except BaseException:
            self._terminate()
            raise
        self._threads = [
            Thread(target=self._run_tasks, args=(worker,), daemon=True) for worker in self._workers
        ]
        for thread in self._threads:
            thread.start()

    def ahead(self) -> int:
        """Return how many tasks are submitted in advance, so that no process waits."""
        return 2 * len(self._workers)

    def submit(
        self,
        fn: Callable[_Params, Result],
        /,
        *args: _Params.args,
        **kwargs: _Params.kwargs,
    ) -> Future[Result]:
        """Run a picklable function in one of the processes, and return its future result.

        The exception of the future is `BatchFailed`, whatever the function raises.

        Raises:
            RuntimeError: the executor has been shut down.
        """
        if self._is_shut_down:
            raise RuntimeError("the executor has been shut down")
        future: Future[Result] = Future()
        self._tasks.put((future, partial(fn, *args, **kwargs)))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes.

        Args:
            wait: whether to wait until the tasks have ended.
            cancel_futures: whether tasks that have not begun are cancelled. Those that run have
                three seconds left, and are terminated then.
        """
        self._is_shut_down = True
        if cancel_futures:
            with suppress(Empty):
                while (task := self._tasks.get_nowait()) is not None:
                    task[0].cancel()
        for _ in self._threads:
            self._tasks.put(None)
        if cancel_futures:
            until = monotonic() + _SECONDS_TO_END
            for thread in self._threads:
                thread.join(max(0.0, until - monotonic()))
            self._terminate()
        if wait:
            for thread in self._threads:
                thread.join()

    def __exit__(self, *exception: object) -> None:
        self.shutdown(cancel_futures=True)

    def _run_tasks(self, worker: _Worker) -> None:
        while (task := self._tasks.get()) is not None:
            future, call = task
            if not future.set_running_or_notify_cancel():
                continue
            try:
                result = worker.run(call)
            except Exception as error:
                future.set_exception(error)
            else:
                future.set_result(result)
        worker.end()

    def _terminate(self) -> None:
        for worker in self._workers:
            worker.terminate()


class _Worker:
    """A process that runs tasks one after the other. One thread uses it; any may terminate it."""

    def __init__(self) -> None:
        # SQLite does not allow a connection to be shared with a forked process.
        self._context = multiprocessing.get_context("spawn")
        self._name = self._context.RawArray("c", _NAME_BYTES)
        self._lock = Lock()
        self._is_terminated = False
        self._process, self._connection = self._started()

    def _started(self) -> tuple[BaseProcess, Connection]:
        """Return a new process, and the connection to it."""
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=_work, args=(theirs, self._name), daemon=True)
        with _without_interrupts():
            process.start()
        theirs.close()
        return process, ours

    def run(self, call: Callable[[], Any]) -> Any:
        """Run a function in the process and return its result.

        Raises:
            BatchFailed: the function raised an error, or two processes died while running it.
        """
        for crash in range(1, _MAX_CRASHES + 1):
            self._name.value = b""
            try:
                self._connection.send(call)
                answer = self._connection.recv()
                break
            except (EOFError, OSError):
                self._replace(is_last=crash == _MAX_CRASHES)
        if isinstance(answer, _Failure):
            raise BatchFailed(answer.text)
        answer.log()
        return answer.result

    def _replace(self, *, is_last: bool) -> None:
        """Replace a process that has died.

        Raises:
            BatchFailed: ``is_last`` is true, or the process was terminated.
        """
        self._connection.close()
        self._process.join()
        name = self._name.value.decode("utf-8", "replace")
        how = f"a process has died, with {_cause(self._process.exitcode)}"
        where = f"while it worked on {name!r}" if name else "before it began to work"
        with self._lock:
            if self._is_terminated:
                raise BatchFailed("the work has been given up")
            if is_last:
                raise BatchFailed(f"{how}, {where}, and so did the one before it")
            logger.warning("%s, %s: another one takes its place", how, where)
            self._process, self._connection = self._started()

    def end(self) -> None:
        """End the process, which has no task."""
        self._connection.close()
        self._process.join(_SECONDS_TO_END)
        self.terminate()

    def terminate(self) -> None:
        """End the process at once."""
        with self._lock:
            self._is_terminated = True
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


class Recorder(QueueHandler):
    """Collects the log records of a worker process, for the main process to handle."""

    def __init__(self) -> None:
        """Collect no records before it is a handler of the root logger."""
        super().__init__(None)  # type: ignore[arg-type]
        self._records: list[logging.LogRecord] = []

    def enqueue(self, record: logging.LogRecord) -> None:
        """Add a record, whose exception has become text."""
        self._records.append(record)

    def take(self) -> list[logging.LogRecord]:
        """Return the records since the last call."""
        records, self._records = self._records, []
        return records


def _work(connection: Connection, name: Any) -> None:
    """Run the tasks that the main process sends, until it closes the connection."""
    # Only the main process handles Ctrl-C; this one ends when its connection is closed.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    recorder = Recorder()
    logging.getLogger().addHandler(recorder)
    global _item
    _item = name
    answer: Answer | _Failure
    with suppress(EOFError, OSError):
        while True:
            call = connection.recv()
            try:
                answer = Answer(call(), recorder.take())
            except Exception as error:  # the main process raises it as BatchFailed
                answer = _Failure(f"{type(error).__name__}: {error}")
            connection.send(answer)
