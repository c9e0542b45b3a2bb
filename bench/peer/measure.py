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

from bench.peer.servers import Server

Request = TypeVar("Request", contravariant=True)


class Client(Protocol[Request]):
    """Sends requests to one server."""

    @property
    def server(self) -> Server:
        """The server."""

    def measure(self, request: Request, /) -> float:
        """Return the seconds from sending a request to the last byte of its answer."""


@dataclass
class Sample:
    """The seconds that one server took for a request, by round."""

    first: float = 0.0
    rounds: list[float] = field(default_factory=list)
    cpu_rounds: list[float] = field(default_factory=list)
    """The CPU seconds for the same requests, a mean for those in a row."""

    @property
    def median(self) -> float:
        """The median without the first round, which fills the caches of templates."""
        return statistics.median(self.rounds)

    @property
    def cpu_median(self) -> float:
        """The median of the CPU times, with what the server did after it had answered."""
        return statistics.median(self.cpu_rounds)


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
                used = client.server.cpu()
                times = [client.measure(params) for _ in range(in_a_row)]
                time.sleep(pause)
                if turn:
                    sample.rounds += times
                    sample.cpu_rounds.append((client.server.cpu() - used) / in_a_row)
                else:
                    sample.first = times[-1]
    gc.enable()
    return pairs
