"""Running an export: workers convert batches of pages, and the results are stored in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import tee
from typing import Any, NamedTuple, Protocol

import zstandard
from peewee import fn

from wikiapi.errors import StoreError
from wikiapi.site import Site
from wikiapi.store.models import Page
from wikiapi.store.queries import storestate
from wikiapi.workers import BatchFailed, BatchWorkers
from wikiapi_plugins.export import Shard
from wikiapi_plugins.export.state import State

Key = tuple[int, str]
Work = Callable[[Sequence[Key]], "BatchResult"]
OnProgress = Callable[[int], None]

_FORMAT = 4
"""The format of the state; an export that was begun with another one starts again."""
_STORED = "INSERT INTO results VALUES (?, ?, ?, ?)"
STORED_RESULTS = "SELECT last, pages, failed, data FROM results WHERE last > ? ORDER BY last"
"""The query for the results in a state of the pages with larger ids."""
_LEVEL = 3
"""The level of compression; it costs a thousandth of what rendering does."""
PAGES_PER_BATCH = 40
PAGES_WORTH_WORKERS = 300
"""Smallest number of pages for which worker processes are started.

Starting one takes as long as rendering some hundred pages.
"""


class BatchResult(NamedTuple):
    """The result of a batch of pages.

    Its bytes are all that is written of the pages, so that they can be rendered on other machines.
    """

    data: bytes
    pages: int
    failed: int
    """The number of pages that could not be rendered."""
    last_page: int = 0
    """The id of the last page, which is noted when the result is stored."""


class Export(Protocol):
    """A kind of export. It is sent to other processes, so that it must be picklable."""

    def worker(self, site: Site) -> Work:
        """Return the function that converts a batch of pages."""


class ResultSink(Protocol):
    """Stores the results of batches, in the main process."""

    def store(self, state: State, result: BatchResult) -> int:
        """Store a result, and return the length of the output file so far; 0 without one."""


class StateSink:
    """Stores results in the state itself."""

    def store(self, state: State, result: BatchResult) -> int:
        """Store the result of a batch."""
        data = zstandard.compress(result.data, _LEVEL)
        state.write(_STORED, iter([(result.last_page, result.pages, result.failed, data)]))
        return 0


def stored_results(rows: Iterable[tuple[Any, ...]]) -> Iterator[BatchResult]:
    """Yield the results in the rows of :data:`STORED_RESULTS`."""
    for last, pages, failed, data in rows:
        yield BatchResult(zstandard.decompress(data), pages, failed, last)


class Results(Protocol):
    """Where the results of an export come from: rendering, or files that have them."""

    def count(self, site: Site, namespaces: Sequence[int]) -> int:
        """Return the number of pages."""

    def after(
        self, page: int, site: Site, namespaces: Sequence[int], export: Export
    ) -> AbstractContextManager[Iterator[BatchResult]]:
        """Provide the results of the pages with larger ids, in the order of their ids."""


def run(
    site: Site,
    state: State,
    namespaces: Sequence[int],
    export: Export,
    sink: ResultSink,
    results: Results,
    on_progress: OnProgress,
) -> None:
    """Export the pages that are not done yet.

    Args:
        site: the wiki.
        state: the state of the export.
        namespaces: the namespaces to export.
        export: the kind of export.
        sink: stores the results.
        results: where they come from.
        on_progress: called with the number of pages done so far.

    Raises:
        StoreError: a process failed, or died twice in the same batch.
    """
    try:
        with results.after(state.last_page, site, namespaces, export) as batches:
            for result in batches:
                with state.atomic():
                    length = sink.store(state, result)
                    state.advance(result.last_page, result.pages, result.failed, length)
                on_progress(state.pages)
    except BatchFailed as error:
        raise StoreError(f"the export failed: {error}") from error


@dataclass(frozen=True)
class Rendering:
    """Renders the pages of the wiki, or of one shard, in this process or by workers."""

    workers: BatchWorkers[Site] | None
    shard: Shard | None = None

    def count(self, site: Site, namespaces: Sequence[int]) -> int:
        """Return the number of pages."""
        return count(site, namespaces, *self._range(site, namespaces))

    @contextmanager
    def after(
        self, page: int, site: Site, namespaces: Sequence[int], export: Export
    ) -> Iterator[Iterator[BatchResult]]:
        """Provide the results of the pages with larger ids, in the order of their ids."""
        first, last = self._range(site, namespaces)
        first = max(first, page)
        batches, sent = tee(_batches(site, namespaces, first, last))
        keys = ([key for _, key in batch] for batch in sent)
        left, workers = count(site, namespaces, first, last), self.workers
        if workers is None or not workers.are_worth(left, PAGES_WORTH_WORKERS):
            yield map(_noting_last_page, map(_work(export, site), keys), batches)
            return
        with workers.running(partial(_work, export)) as runner:
            yield map(_noting_last_page, runner.run(keys), batches)

    def _range(self, site: Site, namespaces: Sequence[int]) -> tuple[int, int | None]:
        """Return the ids of the last page before the shard and of its last page; 0 and None."""
        if self.shard is None:
            return 0, None
        number, total = self.shard
        pages = count(site, namespaces)
        last = None if number == total else _id_of(site, namespaces, pages * number // total)
        return _id_of(site, namespaces, pages * (number - 1) // total), last


def _work(export: Export, site: Site) -> Work:
    """Return the function that converts a batch, with one budget for each batch."""
    convert = export.worker(site)

    def work(keys: Sequence[Key]) -> BatchResult:
        with site.budgets.batch():
            return convert(keys)

    return work


def _noting_last_page(result: BatchResult, batch: Sequence[tuple[int, Key]]) -> BatchResult:
    return result._replace(last_page=batch[-1][0])


def _id_of(site: Site, namespaces: Sequence[int], place: int) -> int:
    """Return the id of the page at a place from 1 in the order of ids; 0 for place 0."""
    if not place:
        return 0
    query = Page.select(Page.page_id).where(*_conditions(namespaces, 0, None))
    return int(site.db.scalar(query.order_by(Page.page_id).offset(place - 1).limit(1)))


def count(site: Site, namespaces: Sequence[int], after: int = 0, last: int | None = None) -> int:
    """Return the number of pages in the namespaces with ids after one and up to another."""
    query = Page.select(fn.COUNT(Page.page_id)).where(*_conditions(namespaces, after, last))
    return int(site.db.scalar(query))


def fingerprint(site: Site, *facts: object) -> str:
    """Return a text that must be unchanged for an export to be continued. Two queries.

    It consists of the format of the state, the wiki, the state of its store, and the facts.
    """
    return repr((_FORMAT, site.config.site.wiki_id, tuple(storestate.current(site.db)), facts))


def _batches(
    site: Site, namespaces: Sequence[int], after: int, last: int | None
) -> Iterator[list[tuple[int, Key]]]:
    while True:
        query = Page.select(Page.page_id, Page.page_namespace, Page.page_title)
        query = query.where(*_conditions(namespaces, after, last)).order_by(Page.page_id)
        rows = [
            (page, (namespace, title))
            for page, namespace, title in site.db.execute(query.limit(PAGES_PER_BATCH))
        ]
        if not rows:
            return
        yield rows
        after = rows[-1][0]


def _conditions(namespaces: Sequence[int], after: int, last: int | None) -> list[Any]:
    conditions: list[Any] = [Page.page_namespace.in_(list(namespaces)), Page.page_id > after]
    if last is not None:
        conditions.append(Page.page_id <= last)
    return conditions
