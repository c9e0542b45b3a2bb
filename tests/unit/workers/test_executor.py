from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from wikiapi.workers import executor
from wikiapi.workers.executor import BatchFailed, BatchRunner, ProcessExecutor, working_on

pytestmark = pytest.mark.slow

UNLUCKY, DEADLY, SLOW = 13, 99, 60


def doubler() -> Callable[[int], int]:
    def double(number: int) -> int:
        working_on(f"number {number}")
        if number == UNLUCKY:
            raise ValueError("unlucky")
        if number == DEADLY:
            os.kill(os.getpid(), signal.SIGKILL)
        if number == SLOW:
            time.sleep(SLOW)
        return 2 * number

    return double


def dying_once(marker: Path) -> Callable[[int], int]:
    """Return a function that ends the first process that doubles four."""

    def double(number: int) -> int:
        working_on(f"number {number}")
        if number == 4 and not marker.exists():
            marker.touch()
            os._exit(3)
        return 2 * number

    return double


@contextmanager
def runner(
    processes: int, make: Callable[[], Callable[[int], int]] = doubler
) -> Iterator[BatchRunner[int, int]]:
    with ProcessExecutor(processes) as running:
        yield BatchRunner(running, make, 2 * processes)


def test_results_come_in_the_order_of_the_batches() -> None:
    with runner(2) as workers:
        assert list(workers.run(range(12))) == [2 * number for number in range(12)]


def test_errors_are_told() -> None:
    with runner(1) as workers, pytest.raises(BatchFailed) as failed:
        list(workers.run([1, UNLUCKY, 2]))
    assert str(failed.value) == "ValueError: unlucky"


def test_an_error_leaves_the_process_running() -> None:
    with ProcessExecutor(1) as running:
        failing = running.submit(int, "one")
        assert running.submit(int, "1").result() == 1
        assert str(failing.exception()).startswith("ValueError: invalid literal")


def test_what_cannot_be_sent_is_an_error_of_its_task() -> None:
    with ProcessExecutor(1) as running:
        failing = running.submit(lambda: 1)
        assert running.submit(int, "1").result() == 1
        assert failing.exception() is not None


def test_the_function_is_made_once_in_each_process() -> None:
    with ProcessExecutor(1) as running:
        made = BatchRunner[int, int](running, _counting, 2)
        assert list(made.run([1, 1])) == [1, 2]
        assert list(made.run([1])) == [3]


def _counting() -> Callable[[int], int]:
    total = 0

    def add(number: int) -> int:
        nonlocal total
        total += number
        return total

    return add


def test_processes_that_are_being_started_are_not_interrupted(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with runner(2) as workers:
        for process in multiprocessing.active_children():
            os.kill(process.pid or 0, signal.SIGINT)
        assert list(workers.run([1, 2])) == [2, 4]
    assert not caplog.records


def test_nothing_is_submitted_to_an_executor_that_was_shut_down() -> None:
    with ProcessExecutor(1) as running:
        pass
    with pytest.raises(RuntimeError, match="shut down"):
        running.submit(int)


def test_tasks_end_before_an_executor_is_shut_down() -> None:
    running = ProcessExecutor(1)
    futures = [running.submit(int, text) for text in "123"]
    running.shutdown()
    assert [future.result(0) for future in futures] == [1, 2, 3]
    assert not multiprocessing.active_children()


@pytest.mark.parametrize("count", [1, 2])
def test_a_process_that_dies_is_replaced(
    count: int, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with runner(count, partial(dying_once, tmp_path / "marker")) as workers:
        assert list(workers.run(range(9))) == [2 * number for number in range(9)]
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert "has died, with exit status 3, while it worked on 'number 4'" in record.getMessage()


def test_what_kills_two_processes_is_named_behind_the_results_before_it() -> None:
    with runner(2) as workers:
        results = workers.run([1, 2, DEADLY, 3, 4])
        assert [next(results), next(results)] == [2, 4]
        with pytest.raises(BatchFailed) as failed:
            next(results)
    assert "has died, with SIGKILL, while it worked on 'number 99'" in str(failed.value)


def _interrupt() -> None:
    with runner(2) as workers:
        assert next(workers.run([1, SLOW, 2, SLOW])) == 2
        raise KeyboardInterrupt


def test_no_process_is_left_when_the_block_is_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executor, "_SECONDS_TO_END", 0.2)
    with pytest.raises(KeyboardInterrupt):
        _interrupt()
    assert not multiprocessing.active_children()
