"""Clusters of Dask on this machine: a scheduler and workers over TCP, by Dask's commands."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from tests.ports import free_port, wait_for
from tests.processes import environment

_DASK = (sys.executable, "-m", "dask")
_LIMIT = 60


@dataclass
class Cluster:
    """A running cluster: the address of its scheduler, and its worker processes."""

    address: str
    scheduler: subprocess.Popen[bytes]
    workers: list[subprocess.Popen[bytes]]

    def wait_for_workers(self, number: int) -> None:
        """Wait until this number of workers is there."""
        with self._client() as client:
            client.wait_for_workers(number, timeout=_LIMIT)

    def wait_for_task_of(self, number: int) -> None:
        """Wait until a worker, by its place in the list, has been given a task."""
        end = time.monotonic() + _LIMIT
        with self._client() as client:
            workers = client.scheduler_info(n_workers=-1)["workers"]
            (address,) = (key for key, facts in workers.items() if facts["name"] == number)
            while not client.processing()[address]:
                assert time.monotonic() < end
                time.sleep(0.05)

    def task_count(self) -> int:
        """Return the number of tasks that the scheduler knows, with those that are done."""
        with self._client() as client:
            return int(client.run_on_scheduler(_count_tasks))

    def _client(self) -> Any:
        return import_module("distributed").Client(self.address, set_as_default=False)


@contextmanager
def running(folder: Path, workers: int = 3, **settings: str) -> Iterator[Cluster]:
    """Run a cluster whose workers use a folder, with settings of Dask, until the end of the block.

    The names of settings are those of environment variables.
    """
    port = free_port()
    address = f"tcp://127.0.0.1:{port}"
    scheduler = _started(
        settings, "scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard"
    )
    started: list[subprocess.Popen[bytes]] = []
    try:
        wait_for(port)
        for number in range(workers):
            options = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--death-timeout", "60")
            own = ("--name", str(number), "--local-directory", str(folder / f"worker{number}"))
            command = ("worker", address, "--host", "127.0.0.1", *options, *own)
            started.append(_started(settings, *command))
        yield Cluster(address, scheduler, started)
    finally:
        for process in (*started, scheduler):
            process.kill()
            process.wait(_LIMIT)


def _started(settings: Mapping[str, str], *arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [*_DASK, *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment(**settings),
    )


def _count_tasks(dask_scheduler: Any) -> int:
    return len(dask_scheduler.tasks)
