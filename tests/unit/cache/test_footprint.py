"""What a value takes in memory."""

from __future__ import annotations

import tracemalloc
from sys import getsizeof

from wikiapi.wikitext.pagecache import footprint


class Node:
    """Refers to others."""

    def __init__(self, *others: object) -> None:
        self.others = others


def test_it_is_what_python_has_taken_for_the_value() -> None:
    tracemalloc.start()
    try:
        value = {f"key {number}": [f"{number:0500}", Node(number + 10_000)] for number in range(50)}
        snapshot = tracemalloc.take_snapshot()
    finally:
        tracemalloc.stop()
    # Threads that other tests have left may take memory, too.
    here = snapshot.filter_traces([tracemalloc.Filter(True, __file__)])
    taken = sum(trace.size for trace in here.traces)
    assert 0.9 * taken < footprint(value) < 1.1 * taken


def test_what_is_referred_to_twice_counts_once() -> None:
    text = "x" * 10_000
    assert footprint([text, [text]]) < 1.1 * getsizeof(text)


def test_a_ring_comes_to_an_end() -> None:
    ring: list[object] = ["x" * 1000]
    ring.append(ring)
    assert footprint(ring) == getsizeof(ring) + getsizeof("x" * 1000)


def test_code_does_not_count() -> None:
    assert footprint([Node, footprint, len, tracemalloc]) == getsizeof([1, 2, 3, 4])


def test_what_is_shared_does_not_count() -> None:
    shared = Node("x" * 10_000)
    assert footprint([shared], shared=(Node,)) == getsizeof([shared])
