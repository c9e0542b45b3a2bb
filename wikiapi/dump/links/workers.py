"""Parses pages in processes of their own, so that every core has something to do.

Batches go round the workers in turn and come back in the order in which they went, so the store
gets the same rows in the same order as without workers.
"""

from __future__ import annotations

import logging
import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import cycle
from logging.handlers import QueueHandler
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

from wikiapi.dump.garbage import collected_rarely
from wikiapi.dump.links.deriver import LinkDeriver
from wikiapi.errors import StoreError
from wikiapi.site import Site
from wikiapi.store.sql.batches import Key
from wikiapi.store.write.links import PageLinkSet

OpenSite = Callable[[], Site]

# Per worker: one batch that it parses, and one that waits for it.
_AHEAD = 2


class _Answer(NamedTuple):
    """What a worker returns for a batch: the links, and what was logged meanwhile."""

    links: list[PageLinkSet]
    records: list[logging.LogRecord]


class _Recorder(QueueHandler):
    """Collects what a worker logs, so that the first process logs it."""

    def __init__(self) -> None:
        super().__init__(None)  # type: ignore[arg-type]
        self._records: list[logging.LogRecord] = []

    def enqueue(self, record: logging.LogRecord) -> None:
        self._records.append(record)

    def take(self) -> list[logging.LogRecord]:
        """Return the records since the last call."""
        records, self._records = self._records, []
        return records


class LinkWorkers:
    """Running workers. Made by :func:`link_workers`."""

    def __init__(self, connections: Sequence[Connection]) -> None:
        """Communicate with workers over these connections."""
        self._connections = connections

    def derive(self, batches: Iterable[Sequence[Key]]) -> Iterator[list[PageLinkSet]]:
        """Yield the links of each batch of pages, in the order of the batches.

        Raises:
            StoreError: a worker failed or died.
        """
        waiting: deque[Connection] = deque()
        workers = cycle(self._connections)
        for batch in batches:
            if len(waiting) >= _AHEAD * len(self._connections):
                yield _received(waiting.popleft())
            worker = next(workers)
            _send(worker, list(batch))
            waiting.append(worker)
        while waiting:
            yield _received(waiting.popleft())


@contextmanager
def link_workers(open_site: OpenSite, count: int) -> Iterator[LinkWorkers]:
    """Start workers that end with the block.

    Args:
        open_site: opens the site again, for reading; it is sent to other processes, so it must be
            something that pickle knows.
        count: how many workers.
    """
    # A forked process would share the database connection, which SQLite does not survive.
    context = multiprocessing.get_context("spawn")
    pairs = [context.Pipe() for _ in range(count)]
    processes = [
        context.Process(target=_work, args=(open_site, theirs), daemon=True) for _, theirs in pairs
    ]
    try:
        for process in processes:
            process.start()
        for _, theirs in pairs:
            theirs.close()
        yield LinkWorkers([ours for ours, _ in pairs])
    finally:
        for ours, _ in pairs:
            ours.close()
        for process in processes:
            if process.pid is not None:
                process.join()


def _send(worker: Connection, batch: list[Key]) -> None:
    try:
        worker.send(batch)
    except OSError as error:
        raise StoreError("a process that derives links has died") from error


def _received(worker: Connection) -> list[PageLinkSet]:
    try:
        answer: Any = worker.recv()
    except (EOFError, OSError) as error:
        raise StoreError("a process that derives links has died") from error
    if isinstance(answer, str):
        raise StoreError(f"deriving links failed: {answer}")
    for record in answer.records:
        logging.getLogger(record.name).handle(record)
    return list(answer.links)


def _work(open_site: OpenSite, connection: Connection) -> None:
    # The first process decides what Ctrl-C means; this one ends when its connection does.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    recorder = _Recorder()
    logging.getLogger().addHandler(recorder)
    try:
        with collected_rarely():
            deriver = LinkDeriver(open_site())
            while True:
                links = deriver.derive(connection.recv())
                connection.send(_Answer(links, recorder.take()))
    except (EOFError, OSError):
        return
    except Exception as error:  # is sent to the first process, which raises it
        connection.send(f"{type(error).__name__}: {error}")
