from __future__ import annotations

import threading

import pytest

from tests.faults.watch import Watch
from wikiapi.deadline import Deadlines
from wikiapi.errors import DeadlineExceeded


@pytest.fixture
def watch() -> Watch:
    return Watch()


def test_the_time_is_up_once_it_has_passed(watch: Watch) -> None:
    with Deadlines(watch).within(5) as deadline:
        watch.now += 5
        deadline.check()
        assert deadline.left == 0
        watch.now += 0.1
        with pytest.raises(DeadlineExceeded, match="the 5 seconds"):
            deadline.check()
        assert deadline.left == 0


def test_nothing_is_bounded_outside(watch: Watch) -> None:
    deadlines = Deadlines(watch)
    with deadlines.within(5):
        pass
    watch.now += 1e9
    deadlines.current.check()


def test_zero_is_for_ever(watch: Watch) -> None:
    with Deadlines(watch).within(0) as deadline:
        watch.now += 1e9
        deadline.check()


def test_the_sooner_one_counts(watch: Watch) -> None:
    deadlines = Deadlines(watch)
    with deadlines.within(5), deadlines.within(60) as inner:
        assert inner.left == 5
    with deadlines.within(60) as outer, deadlines.within(5) as inner:
        assert (outer.left, inner.left) == (60, 5)
        assert deadlines.current is inner


def test_each_thread_has_its_own(watch: Watch) -> None:
    deadlines, seen = Deadlines(watch), list[float]()
    with deadlines.within(5):
        other = threading.Thread(target=lambda: seen.append(deadlines.current.left))
        other.start()
        other.join()
    assert seen == [float("inf")]
