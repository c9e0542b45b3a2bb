"""Statements are bounded by their own time, and by the moment at which the request ends."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from types import SimpleNamespace

import pytest

from wikiapi.errors import StoreTimeout
from wikiapi.store.database import Database
from wikiapi.store.running import Deadline


class Thread:
    """A thread whose statements take as long as a test says."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.db = Database("sqlite:///:memory:")

    @property
    def deadline(self) -> Deadline | None:
        """The deadline in force."""
        return self.db._thread.deadline

    def run(self, seconds: float) -> None:
        """Run a statement; it is interrupted at the moment that is set."""
        assert self.deadline
        self.deadline.begin()
        self.now += seconds
        if self.now > self.deadline.moment:
            raise StoreTimeout
        self.deadline.ended = self.now


@pytest.fixture
def thread(monkeypatch: pytest.MonkeyPatch) -> Iterator[Thread]:
    made = Thread()
    monkeypatch.setattr("wikiapi.store.running.time", SimpleNamespace(monotonic=lambda: made.now))
    with closing(made.db):
        yield made


def test_time_between_statements_is_not_theirs(thread: Thread) -> None:
    with thread.db.deadline(60, 10):
        for _ in range(3):
            thread.now += 9
            thread.run(3)
        with pytest.raises(StoreTimeout):
            thread.run(3)


def test_many_short_pauses_are_not_theirs_either(thread: Thread) -> None:
    with thread.db.deadline(60, 10):
        for _ in range(500):
            thread.now += 0.05
            thread.run(0.01)
        with pytest.raises(StoreTimeout):
            thread.run(6)


def test_the_moment_is_left_as_it_is_while_nothing_but_statements_run(thread: Thread) -> None:
    with thread.db.deadline(60, 10) as set_:
        first = set_.moment
        for _ in range(100):
            thread.now += 0.0005
            thread.run(0.01)
        assert set_.moment == first


@pytest.mark.parametrize("pause", [59, 61])
def test_no_statement_runs_when_the_request_is_over(thread: Thread, pause: float) -> None:
    with thread.db.deadline(60, 10):
        thread.now += pause
        with pytest.raises(StoreTimeout):
            thread.run(2)


def test_without_work_the_moment_stands(thread: Thread) -> None:
    with thread.db.deadline(60, None) as set_:
        thread.now += 30
        thread.run(1)
        assert set_.moment == 1060


def test_the_inner_one_counts_for_the_outer(thread: Thread) -> None:
    with thread.db.deadline(60, 10) as outer:
        with thread.db.deadline(5, None) as inner:
            assert inner.moment == 1005
            thread.run(4)
        assert thread.deadline is outer
        with pytest.raises(StoreTimeout):
            thread.run(7)
    assert thread.deadline is None


def test_the_inner_one_does_not_extend_the_outer(thread: Thread) -> None:
    with thread.db.deadline(5, 2), thread.db.deadline(60, 60):
        with pytest.raises(StoreTimeout):
            thread.run(3)
        thread.now += 10
        with pytest.raises(StoreTimeout):
            thread.run(0.1)
