"""Timed requests to both servers, which take turns.

In its turn, a server receives the same request several times in a row. Otherwise it would sleep
while the other one works, and waking up takes as long as a short request.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

Request = TypeVar("Request", contravariant=True)


class Client(Protocol[Request]):
    """Sends requests to one server."""

    def measure(self, request: Request, /) -> float:
        """Return the seconds from sending a request to the last byte of its answer."""


@dataclass
class Sample:
    """The seconds that one server took for a request, by round."""

    first: float = 0.0
    rounds: list[float] = field(default_factory=list)

    @property
    def median(self) -> float:
        """The median without the first round, which fills the caches of templates."""
        return statistics.median(self.rounds)


@dataclass(frozen=True)
class Pair:
    """The samples of both servers for the same request."""

    ours: Sample
    theirs: Sample


def measure(
    ours: Client[Request],
    theirs: Client[Request],
    requests: Sequence[Request],
    rounds: int,
    *,
    in_a_row: int = 1,
    pause: float = 0.0,
) -> list[Pair]:
    """Send every request to both servers, in ``rounds`` rounds after a first one.

    Args:
        ours: the client of wikiapi.
        theirs: the client of MediaWiki.
        requests: the requests to send.
        rounds: the number of rounds after the first one.
        in_a_row: how often a server receives a request before it is the other one's turn.
        pause: seconds after a turn, for work that a server does after it has answered.
    """
    pairs = [Pair(Sample(), Sample()) for _ in requests]
    gc.disable()
    for turn in range(rounds + 1):
        for number, (pair, params) in enumerate(zip(pairs, requests, strict=True)):
            sides = [(ours, pair.ours), (theirs, pair.theirs)]
            # Alternate the order, so that neither server is always the second one.
            for client, sample in sides if (turn + number) % 2 else reversed(sides):
                for _ in range(in_a_row):
                    _record(sample, client.measure(params), turn)
                time.sleep(pause)
    gc.enable()
    return pairs


def _record(sample: Sample, seconds: float, turn: int) -> None:
    if turn:
        sample.rounds.append(seconds)
    else:
        sample.first = seconds
