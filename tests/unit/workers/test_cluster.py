"""The executor of a cluster: errors, log records, workers that die, and a scheduler that does."""

from __future__ import annotations

import logging
import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests import clusters
from tests.clusters import Cluster
from tests.ports import free_port
from wikiapi.workers import BatchFailed, BatchRunner, ClusterExecutor
from wikiapi.workers import cluster as module

pytestmark = pytest.mark.slow


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    allowed = {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1"}
    with clusters.running(tmp_path, workers=3, **allowed) as running:
        running.wait_for_workers(3)
        yield running


def doubling() -> Callable[[int], int]:
    def double(number: int) -> int:
        if number == 3:
            logging.getLogger("tests.cluster").warning("three in %s", os.getpid())
        if number == 5:
            raise ZeroDivisionError("five")
        if number == 7:
            os.kill(os.getpid(), signal.SIGKILL)
        return 2 * number

    return double


def run(cluster: Cluster, numbers: range) -> list[int]:
    with ClusterExecutor(cluster.address) as executor:
        return list(BatchRunner(executor, doubling, executor.ahead).run(numbers))


def test_results_are_in_order_and_log_records_arrive(
    cluster: Cluster, caplog: pytest.LogCaptureFixture
) -> None:
    assert run(cluster, range(5)) == [0, 2, 4, 6, 8]
    (record,) = (record for record in caplog.records if record.name == "tests.cluster")
    (number,) = (int(word) for word in record.getMessage().split() if word.isdecimal())
    assert number in {worker.pid for worker in cluster.workers}


def test_cluster_holds_no_more_than_the_tasks_in_advance(cluster: Cluster) -> None:
    with ClusterExecutor(cluster.address) as executor:
        results = BatchRunner(executor, doubling, executor.ahead).run([1] * 60)
        counts = [cluster.task_count() for _ in results]
        assert executor.ahead() == 6
    assert max(counts) <= 8


def test_error_of_a_task(cluster: Cluster) -> None:
    with pytest.raises(BatchFailed, match="ZeroDivisionError: five"):
        run(cluster, range(7))


def test_task_that_kills_its_workers(cluster: Cluster) -> None:
    with pytest.raises(BatchFailed, match="2 workers have died in the same task"):
        run(cluster, range(7, 9))


def test_scheduler_dies(cluster: Cluster) -> None:
    with ClusterExecutor(cluster.address) as executor:
        results = BatchRunner(executor, doubling, 1).run([1, 2])
        assert next(results) == 2
        cluster.scheduler.kill()
        with pytest.raises(BatchFailed, match="was lost"):
            list(results)


def test_no_scheduler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_CONNECT_SECONDS", 0.5)
    address = f"tcp://127.0.0.1:{free_port()}"
    with pytest.raises(BatchFailed, match=f"no scheduler of Dask answers at {address}"):
        ClusterExecutor(address)


def test_not_an_address() -> None:
    with pytest.raises(BatchFailed, match="no scheduler of Dask answers at elsewhere"):
        ClusterExecutor("elsewhere://")


def test_dask_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(BatchFailed, match=r"pip install 'wikiapi-server\[cluster\]'"):
        ClusterExecutor("tcp://127.0.0.1:8786")
