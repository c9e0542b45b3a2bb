from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from wikiapi.workers import batches
from wikiapi.workers.batches import BatchFailed, Begin, batch_workers

pytestmark = pytest.mark.slow

UNLUCKY, DEADLY, SLOW = 13, 99, 60


def doubler(begin: Begin) -> Callable[[int], int]:
    def double(number: int) -> int:
        begin(f"number {number}")
        if number == UNLUCKY:
            raise ValueError("unlucky")
        if number == DEADLY:
            os.kill(os.getpid(), signal.SIGKILL)
        if number == SLOW:
            time.sleep(SLOW)
        return 2 * number

    return double


def dying_once(marker: Path, begin: Begin) -> Callable[[int], int]:
    """Return a function that ends the first process that doubles four."""

    def double(number: int) -> int:
        begin(f"number {number}")
        if number == 4 and not marker.exists():
            marker.touch()
            os._exit(3)
        return 2 * number

    return double


def _interrupted() -> Callable[[Begin], Callable[[int], int]]:
    os.kill(os.getpid(), signal.SIGINT)
    return doubler


class InterruptedAtStart:
    """Makes the doubler; a process that receives it is interrupted before it can do anything."""

    def __reduce__(self) -> tuple[Callable[[], object], tuple[()]]:
        return _interrupted, ()

    def __call__(self, begin: Begin) -> Callable[[int], int]:
        raise AssertionError("it is only called in the process, as the doubler")


def test_results_come_in_the_order_of_the_batches() -> None:
    with batch_workers(doubler, 2) as workers:
        assert list(workers.run(range(12))) == [2 * number for number in range(12)]


def test_errors_are_told() -> None:
    with batch_workers(doubler, 1) as workers, pytest.raises(BatchFailed) as failed:
        list(workers.run([1, UNLUCKY, 2]))
    assert str(failed.value) == "ValueError: unlucky"


def test_processes_that_are_being_started_are_not_interrupted(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with batch_workers(InterruptedAtStart(), 1) as workers:
        assert list(workers.run([1, 2])) == [2, 4]
    assert not caplog.records


@pytest.mark.parametrize("count", [1, 2])
def test_a_process_that_dies_is_replaced(
    count: int, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with batch_workers(partial(dying_once, tmp_path / "marker"), count) as workers:
        assert list(workers.run(range(9))) == [2 * number for number in range(9)]
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert "has died, with exit status 3, while it worked on 'number 4'" in record.getMessage()


def test_what_kills_two_processes_is_named_behind_the_results_before_it() -> None:
    with batch_workers(doubler, 2) as workers:
        results = workers.run([1, 2, DEADLY, 3, 4])
        assert [next(results), next(results)] == [2, 4]
        with pytest.raises(BatchFailed) as failed:
            next(results)
    assert "has died, with SIGKILL, while it worked on 'number 99'" in str(failed.value)


def _interrupt() -> None:
    with batch_workers(doubler, 2) as workers:
        assert next(workers.run([1, SLOW, 2, SLOW])) == 2
        raise KeyboardInterrupt


def test_no_process_is_left_when_the_block_is_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "_SECONDS_TO_END", 0.2)
    with pytest.raises(KeyboardInterrupt):
        _interrupt()
    assert not multiprocessing.active_children()
