"""Both servers take turns."""

from __future__ import annotations

from itertools import groupby

import pytest

from bench.peer.measure import measure
from bench.peer.servers import Server


class Client:
    """Notes in a common list who received what; the nth request takes n seconds."""

    server = Server(0)

    def __init__(self, name: str, received: list[tuple[str, str]]) -> None:
        self.name, self.received, self.count = name, received, 0

    def measure(self, request: str) -> float:
        self.count += 1
        self.received.append((self.name, request))
        return self.count


def test_servers_alternate_and_the_first_round_counts_apart() -> None:
    received: list[tuple[str, str]] = []
    ours, theirs = Client("ours", received), Client("theirs", received)
    pairs = measure(ours, theirs, ["a", "b"], 2, in_a_row=2)
    turns = [(name, request) for (name, request), _ in groupby(received)]
    assert turns == [
        ("theirs", "a"), ("ours", "a"), ("ours", "b"), ("theirs", "b"),
        ("ours", "a"), ("theirs", "a"), ("theirs", "b"), ("ours", "b"),
        ("theirs", "a"), ("ours", "a"), ("ours", "b"), ("theirs", "b"),
    ]  # fmt: skip
    assert [pair.ours.first for pair in pairs] == [2, 4]
    assert [pair.theirs.rounds for pair in pairs] == [[5, 6, 9, 10], [7, 8, 11, 12]]


def test_servers_may_rest_after_a_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    rests: list[float] = []
    monkeypatch.setattr("time.sleep", rests.append)
    measure(Client("ours", []), Client("theirs", []), ["a"], 1, in_a_row=5, pause=0.5)
    assert rests == [0.5] * 4
