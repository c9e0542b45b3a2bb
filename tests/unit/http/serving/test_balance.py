from __future__ import annotations

import os
from types import SimpleNamespace
from typing import Any

import pytest

from wikiapi.http.serving import balance
from wikiapi.http.serving.balance import ConnectionCounts, Place, let_others_accept_first


def taken(counts: ConnectionCounts) -> Place:
    place = counts.take()
    assert place is not None
    return place


def test_the_process_with_fewest_connections_is_not_above() -> None:
    counts = ConnectionCounts()
    one, other = taken(counts), taken(counts)
    one.set(3)
    assert not one.is_above_least(), "the other one has not started"
    other.set(3)
    assert not one.is_above_least()
    assert not other.is_above_least()
    other.set(2)
    assert one.is_above_least()
    assert not other.is_above_least()


def test_a_process_that_has_ended_does_not_count() -> None:
    counts = ConnectionCounts()
    one, other = taken(counts), taken(counts)
    one.set(3)
    other.set(0)
    counts.release(other)
    assert not one.is_above_least()


def test_a_process_that_accepts_no_more_connections_does_not_count() -> None:
    counts = ConnectionCounts()
    one, other = taken(counts), taken(counts)
    one.set(3)
    other.set(None)
    assert not one.is_above_least()


def test_places_are_used_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(balance, "_PROCESSES", 2)
    counts = ConnectionCounts()
    one, _ = taken(counts), taken(counts)
    assert counts.take() is None
    counts.release(one)
    assert taken(counts) == one


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this platform cannot fork")
def test_forked_processes_see_the_numbers_of_each_other() -> None:
    counts = ConnectionCounts()
    one, other = taken(counts), taken(counts)
    other.set(5)
    child = os.fork()
    if child == 0:
        one.set(4)
        os._exit(0)
    os.waitpid(child, 0)
    assert other.is_above_least()


@pytest.mark.parametrize(("own", "expected"), [(0, ["accept"]), (2, ["sleep", "accept"])])
def test_the_busier_process_waits_before_it_accepts(
    own: int, expected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    monkeypatch.setattr(balance.time, "sleep", lambda _: done.append("sleep"))
    counts = ConnectionCounts()
    place = taken(counts)
    place.set(own)
    taken(counts).set(1)
    listener: Any = SimpleNamespace(handle_accept=lambda: done.append("accept"))
    let_others_accept_first(listener, place)
    listener.handle_accept()
    assert done == expected
