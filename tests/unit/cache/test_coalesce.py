"""Work that several threads want at the same time is done once."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from wikiapi.cache.coalesce import Coalescer


def test_one_thread_works_for_all() -> None:
    coalescer: Coalescer[int] = Coalescer()
    entered, go = threading.Event(), threading.Event()
    made = []

    def make() -> int:
        entered.set()
        go.wait(20)
        made.append(1)
        return 7

    with ThreadPoolExecutor(8) as pool:
        first = pool.submit(coalescer.run, "key", make)
        entered.wait(20)
        others = [pool.submit(coalescer.run, "key", make) for _ in range(7)]
        assert coalescer.run("another", lambda: 8) == 8
        waiting = coalescer._flights["key"].ended._cond._waiters  # type: ignore[attr-defined]
        while len(waiting) < len(others):
            threading.Event().wait(0.001)
        go.set()
        assert {first.result(20), *(other.result(20) for other in others)} == {7}
    assert made == [1]
    assert not coalescer._flights


@pytest.mark.parametrize(("patience", "own"), [(0.01, None), (1e6, 0.0)])
def test_a_thread_that_waited_in_vain_or_has_no_time_works_itself(
    patience: float, own: float | None
) -> None:
    coalescer: Coalescer[int] = Coalescer(patience=patience)
    entered, go = threading.Event(), threading.Event()

    def slow() -> int:
        entered.set()
        go.wait(20)
        return 1

    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(coalescer.run, "key", slow)
        entered.wait(20)
        assert coalescer.run("key", lambda: 2, patience=own) == 2
        go.set()
        assert first.result(20) == 1


def test_an_exception_is_the_first_ones_own() -> None:
    coalescer: Coalescer[int] = Coalescer()

    def fail() -> int:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        coalescer.run("key", fail)
    assert coalescer.run("key", lambda: 3) == 3
