"""Running an export: processes convert batches of pages, and the results are stored in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import tee
from typing import Any, NamedTuple, Protocol

from peewee import fn

from wikiapi.errors import StoreError
from wikiapi.site import Site
from wikiapi.store.models import Page, Revision
from wikiapi.workers import BatchFailed, BatchRunner, ProcessExecutor
from wikiapi_plugins.export.state import State

Key = tuple[int, str]
OpenSite = Callable[[], Site]
Work = Callable[[Sequence[Key]], "BatchResult"]
OnProgress = Callable[[int], None]

_FORMAT = 2
"""The format of the state; an export that was begun with another one starts again."""
PAGES_PER_BATCH = 40
PAGES_WORTH_WORKERS = 300
"""Smallest number of pages for which worker processes are started.

Starting one takes as long as rendering some hundred pages.
"""


class BatchResult(NamedTuple):
    """The result of a batch of pages: its data, and the numbers of all and of failed pages."""

    data: Any
    pages: int
    failed: int


class Export(Protocol):
    """A kind of export. It is sent to other processes, so that it must be picklable."""

    def worker(self, site: Site) -> Work:
        """Return the function that converts a batch of pages."""


class ResultSink(Protocol):
    """Stores the results of batches, in the main process."""

    def store(self, state: State, result: BatchResult) -> int:
        """Store a result, and return the length of the output file so far; 0 without one."""


class NullSink:
    """Stores nothing: the processes have written all files."""

    def store(self, state: State, result: BatchResult) -> int:
        """Return 0: there is no output file."""
        return 0


def run(
    site: Site,
    state: State,
    namespaces: Sequence[int],
    export: Export,
    sink: ResultSink,
    workers: tuple[int, OpenSite] | None,
    on_progress: OnProgress,
) -> None:
    """Export the pages that are not done yet.

    Args:
        site: the wiki.
        state: the state of the export.
        namespaces: the namespaces to export.
        export: the kind of export.
        sink: stores the results.
        workers: the number of processes, and a function with which each opens the site; ``None``
            to work in this process.
        on_progress: called with the number of pages done so far.

    Raises:
        StoreError: a process failed, or died twice in the same batch.
    """
    left = count(site, namespaces, state.last_page)
    with _working(site, export, workers if left >= PAGES_WORTH_WORKERS else None) as work:
        batches, sent = tee(_batches(site, namespaces, state.last_page))
        results = work([key for _, key in batch] for batch in sent)
        try:
            for batch, result in zip(batches, results, strict=True):
                with state.atomic():
                    length = sink.store(state, result)
                    state.advance(batch[-1][0], result.pages, result.failed, length)
                on_progress(state.pages)
        except BatchFailed as error:
            raise StoreError(f"the export failed: {error}") from error


@contextmanager
def _working(
    site: Site, export: Export, workers: tuple[int, OpenSite] | None
) -> Iterator[Callable[[Iterable[Sequence[Key]]], Iterator[BatchResult]]]:
    if workers is None:
        yield partial(map, export.worker(site))
        return
    number, open_site = workers
    with ProcessExecutor(number) as executor:
        yield BatchRunner(executor, partial(_worker, export, open_site), 2 * number).run


def _worker(export: Export, open_site: OpenSite) -> Work:
    return export.worker(open_site())


def count(site: Site, namespaces: Sequence[int], after: int = 0) -> int:
    """Return the number of pages in the namespaces with ids greater than ``after``."""
    query = Page.select(fn.COUNT(Page.page_id)).where(*_conditions(namespaces, after))
    return int(site.db.scalar(query))


def fingerprint(site: Site, *facts: object) -> str:
    """Return a text that must be unchanged for an export to be continued. One query.

    It consists of the format of the state, the identity of the wiki, the number and last id of its
    revisions, and the facts.
    """
    newest = site.db.row(Revision.select(fn.MAX(Revision.rev_id), fn.COUNT(Revision.rev_id)))
    identity = site.config.site.wiki_id, site.config.database.url
    return repr((_FORMAT, *identity, newest, facts))


def _batches(site: Site, namespaces: Sequence[int], after: int) -> Iterator[list[tuple[int, Key]]]:
    while True:
        query = Page.select(Page.page_id, Page.page_namespace, Page.page_title)
        query = query.where(*_conditions(namespaces, after)).order_by(Page.page_id)
        rows = [
            (page, (namespace, title))
            for page, namespace, title in site.db.execute(query.limit(PAGES_PER_BATCH))
        ]
        if not rows:
            return
        yield rows
        after = rows[-1][0]


def _conditions(namespaces: Sequence[int], after: int) -> tuple[Any, ...]:
    return Page.page_namespace.in_(list(namespaces)), Page.page_id > after
