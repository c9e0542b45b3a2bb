"""Derives links in worker processes.

The links are returned in the order of the pages, so the store gets the same rows in the same order
as without workers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial

from wikiapi.errors import StoreError
from wikiapi.heap import collect_rarely
from wikiapi.pages.links.deriver import LinkDeriver
from wikiapi.site import Site
from wikiapi.store.sql.batches import Key
from wikiapi.store.write.links import PageLinkSet
from wikiapi.workers.executor import BatchFailed, BatchRunner, ProcessExecutor

OpenSite = Callable[[], Site]


class LinkWorkers:
    """Running workers, started by :func:`link_workers`."""

    def __init__(self, runner: BatchRunner[Sequence[Key], list[PageLinkSet]]) -> None:
        """Derive links with this runner."""
        self._runner = runner

    def derive(self, batches: Iterable[Sequence[Key]]) -> Iterator[list[PageLinkSet]]:
        """Yield the links of each batch of pages, in the order of the batches.

        Raises:
            StoreError: a worker raised an error, or workers died twice in one batch.
        """
        try:
            yield from self._runner.run(batches)
        except BatchFailed as error:
            raise StoreError(f"deriving links failed: {error}") from error


@contextmanager
def link_workers(open_site: OpenSite, count: int) -> Iterator[LinkWorkers]:
    """Start workers, and end them when the block is left.

    Args:
        open_site: opens the site in a worker, for reading. It must be picklable, since it is sent
            to the workers.
        count: the number of workers.
    """
    with ProcessExecutor(count) as executor:
        yield LinkWorkers(BatchRunner(executor, partial(_deriver, open_site), 2 * count))


def _deriver(open_site: OpenSite) -> Callable[[Sequence[Key]], list[PageLinkSet]]:
    collect_rarely()
    return LinkDeriver(open_site()).derive
