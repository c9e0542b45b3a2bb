"""Parses pages in processes of their own, and gives their links in the order of the pages.

So the store gets the same rows in the same order as without workers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial

from wikiapi.dump.garbage import collect_rarely
from wikiapi.dump.links.deriver import LinkDeriver
from wikiapi.errors import StoreError
from wikiapi.site import Site
from wikiapi.store.sql.batches import Key
from wikiapi.store.write.links import PageLinkSet
from wikiapi.workers.batches import BatchFailed, BatchWorkers, Begin, batch_workers

OpenSite = Callable[[], Site]


class LinkWorkers:
    """Running workers. Made by :func:`link_workers`."""

    def __init__(self, workers: BatchWorkers[Sequence[Key], list[PageLinkSet]]) -> None:
        """Let these processes work."""
        self._workers = workers

    def derive(self, batches: Iterable[Sequence[Key]]) -> Iterator[list[PageLinkSet]]:
        """Yield the links of each batch of pages, in the order of the batches.

        Raises:
            StoreError: a worker failed, or died twice in one batch.
        """
        try:
            yield from self._workers.run(batches)
        except BatchFailed as error:
            raise StoreError(f"deriving links failed: {error}") from error


@contextmanager
def link_workers(open_site: OpenSite, count: int) -> Iterator[LinkWorkers]:
    """Start workers that end with the block.

    Args:
        open_site: opens the site again, for reading; it is sent to other processes, so it must be
            something that pickle knows.
        count: how many workers.
    """
    with batch_workers(partial(_deriver, open_site), count) as workers:
        yield LinkWorkers(workers)


def _deriver(open_site: OpenSite, begin: Begin) -> Callable[[Sequence[Key]], list[PageLinkSet]]:
    collect_rarely()
    return LinkDeriver(open_site(), begin).derive
