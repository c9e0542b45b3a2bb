"""Timed requests to both servers, which take turns.

In a turn a server is asked the same several times in a row, as by a client that goes through a
list. Asked once, it would have slept while the other one worked, and waking it up takes as long as
many a request.
"""

from __future__ import annotations

import gc
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field

from bench.peer.browser import Browser, Params


@dataclass
class Sample:
    """Seconds that one server took for one request, round by round."""

    first: float = 0.0
    rounds: list[float] = field(default_factory=list)

    @property
    def median(self) -> float:
        """Median without the first round, which fills the caches of templates."""
        return statistics.median(self.rounds)


@dataclass(frozen=True)
class Pair:
    """The same request to both servers."""

    ours: Sample
    theirs: Sample


def measure(
    ours: Browser, theirs: Browser, requests: Sequence[Params], rounds: int, *, in_a_row: int = 1
) -> list[Pair]:
    """Send every request to both servers, in ``rounds`` rounds after a first one."""
    pairs = [Pair(Sample(), Sample()) for _ in requests]
    gc.disable()
    for turn in range(rounds + 1):
        for number, (pair, params) in enumerate(zip(pairs, requests, strict=True)):
            sides = [(ours, pair.ours), (theirs, pair.theirs)]
            # Neither server is always the one that comes second.
            for browser, sample in sides if (turn + number) % 2 else reversed(sides):
                for _ in range(in_a_row):
                    _note(sample, browser.timed(params), turn)
    gc.enable()
    return pairs


def _note(sample: Sample, seconds: float, turn: int) -> None:
    if turn:
        sample.rounds.append(seconds)
    else:
        sample.first = seconds
