from __future__ import annotations

import os
from collections.abc import Callable

import pytest

from wikiapi.workers.batches import BatchFailed, batch_workers

pytestmark = pytest.mark.slow


def doubler() -> Callable[[int], int]:
    return double


def double(number: int) -> int:
    if number == 13:
        raise ValueError("unlucky")
    if number == 99:
        os._exit(3)
    return 2 * number


def test_results_come_in_the_order_of_the_batches() -> None:
    with batch_workers(doubler, 2) as workers:
        assert list(workers.run(range(12))) == [2 * number for number in range(12)]


@pytest.mark.parametrize(("number", "told"), [(13, "ValueError: unlucky"), (99, "")])
def test_failures_are_told(number: int, told: str) -> None:
    with batch_workers(doubler, 1) as workers, pytest.raises(BatchFailed) as failed:
        list(workers.run([1, number, 2]))
    assert str(failed.value) == told
