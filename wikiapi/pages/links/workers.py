"""Derives links in workers: processes, or those of a cluster.

The links are returned in the order of the pages, so the store gets the same rows in the same order
as without workers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

from wikiapi.errors import StoreError
from wikiapi.heap import collect_rarely
from wikiapi.pages.links.deriver import LinkDeriver
from wikiapi.site import Site
from wikiapi.store.sql.batches import Key
from wikiapi.store.write.links import PageLinkSet
from wikiapi.workers.batchworkers import BatchWorkers
from wikiapi.workers.executor import BatchFailed, BatchRunner


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
def link_workers(workers: BatchWorkers[Site]) -> Iterator[LinkWorkers]:
    """Start workers, and end them when the block is left.

    Raises:
        StoreError: the cluster cannot be reached.
    """
    try:
        with workers.running(_deriver) as runner:
            yield LinkWorkers(runner)
    except BatchFailed as error:
        raise StoreError(str(error)) from error


def _deriver(site: Site) -> Callable[[Sequence[Key]], list[PageLinkSet]]:
    collect_rarely()
    return LinkDeriver(site).derive
