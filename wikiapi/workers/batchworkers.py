"""Where batches of work are run: in processes of this machine, or by the workers of a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar

from wikiapi.workers.cluster import ClusterExecutor
from wikiapi.workers.executor import BatchRunner, ProcessExecutor

Batch = TypeVar("Batch")
Result = TypeVar("Result")
Shared = TypeVar("Shared")


@dataclass(frozen=True)
class BatchWorkers(Generic[Shared]):
    """Workers that are started, or connected to, when there is work.

    ``open_shared`` opens what the work needs, such as a site, once in each worker. It must be
    picklable. ``cluster`` is the address of a scheduler of Dask; empty for ``processes`` of this
    machine.
    """

    open_shared: Callable[[], Shared]
    processes: int
    cluster: str = ""

    def are_worth(self, size: int, least: int) -> bool:
        """Return whether work is large enough: ``least`` for processes, which have to start."""
        return bool(self.cluster) or size >= least

    @contextmanager
    def running(
        self, make: Callable[[Shared], Callable[[Batch], Result]]
    ) -> Iterator[BatchRunner[Batch, Result]]:
        """Provide a runner of batches until the end of the block.

        Args:
            make: returns the function that processes a batch, with what has been opened. It must
                be picklable.

        Raises:
            BatchFailed: the cluster cannot be reached.
        """
        with (
            ClusterExecutor(self.cluster) if self.cluster else ProcessExecutor(self.processes)
        ) as executor:
            yield BatchRunner(executor, partial(_made, make, self.open_shared), executor.ahead)


def _made(
    make: Callable[[Shared], Callable[[Batch], Result]], open_shared: Callable[[], Shared]
) -> Callable[[Batch], Result]:
    return make(open_shared())
