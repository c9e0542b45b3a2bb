"""Requests a second of ``wikiapi serve`` with one process and with one for each core.

The clients are threads of this process, which takes a part of the cores itself: the less, the more
work a request is. The wiki is a copy of the reference wiki.
"""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from urllib.parse import urlencode

from bench import load, servers
from bench.client import Connection
from bench.memory import resident
from bench.report import Figure, publish
from tests.reference import material
from wikiapi.processors import processors

CLIENTS = 16
WARM_UP = 2.0
SECONDS = 8.0
"""For which each kind of request is sent, after a time that is not counted."""
SPEEDUP = 1.8
"""How many times the requests of one process two shall answer (of rendering, where clients count
least)."""
_TEXT = "'''Bold''' [[Main Page]] and {{lc:A TEMPLATE}}.\n\n* one\n* two\n\n== Heading ==\n" * 40


@dataclass(frozen=True)
class Kind:
    """A kind of request; ``numbered`` ones get another text each time, which no cache has."""

    name: str
    params: dict[str, str]
    numbered: bool = False

    def targets(self) -> Iterator[str]:
        """Yield paths and queries."""
        for number in count():
            params = {**self.params, "format": "json"}
            if self.numbered:
                params["text"] = f"{number} {threading.get_ident()} {_TEXT}"
            yield f"/w/api.php?{urlencode(params)}"


KINDS = (
    Kind("checktoken", {"action": "checktoken", "type": "csrf", "token": "x"}),
    Kind(
        "prop=info of two titles",
        {"action": "query", "prop": "info", "titles": "Main Page|Help:Contents"},
    ),
    Kind("a cached page", {"action": "parse", "page": "Main Page"}),
    Kind("rendering 3 kB", {"action": "parse", "title": "X", "prop": "text"}, numbered=True),
)


def run() -> bool:
    """Measure; return whether the targets are met."""
    if not material.available():
        print(f"scaling: {material.MISSING}")
        return True
    cores = processors()
    rates: dict[int, dict[str, float]] = {}
    memory: dict[int, float] = {}
    for workers in (1, cores):
        rates[workers], memory[workers] = _measure(workers)
    figures = []
    for kind in KINDS:
        one, all_of_them = rates[1][kind.name], rates[cores][kind.name]
        figures.append(Figure(f"{kind.name}, 1 process", one, "/s"))
        bound = cores / 2 * SPEEDUP if kind.numbered else None
        # A target is an upper bound, so that of a speed-up is one of its inverse.
        figures.append(
            Figure(
                f"{kind.name}, {cores} processes",
                all_of_them,
                "/s",
                one / all_of_them,
                bound and 1 / bound,
            )
        )
    figures.append(Figure("memory of 1 process", memory[1], "MB"))
    figures.append(Figure(f"memory of {cores} processes", memory[cores], "MB"))
    return publish("scaling", figures)


def _measure(workers: int) -> tuple[dict[str, float], float]:
    """Return the requests a second of each kind, and the resident memory of all processes."""
    with tempfile.TemporaryDirectory() as name:
        folder, port = Path(name), servers.free_port()
        config = load.write_config(folder, port)
        with servers.serving(config, port, folder / "log", workers=workers) as process:
            rates = {kind.name: _rate(port, kind) for kind in KINDS}
            memory = sum(resident(process.pid))
    return rates, memory


def _rate(port: int, kind: Kind) -> float:
    counts = [0] * CLIENTS
    ready = threading.Barrier(CLIENTS)

    def client(place: int) -> None:
        targets = kind.targets()
        with closing(Connection(port, next(targets))) as connection:
            connection.measure()  # The processes may still be opening the site.
            ready.wait()
            begin = time.monotonic() + WARM_UP
            while (now := time.monotonic()) < begin + SECONDS:
                if kind.numbered:
                    connection.set_target(next(targets))
                connection.measure()
                counts[place] += now >= begin

    _in_threads([partial(client, place) for place in range(CLIENTS)])
    return sum(counts) / SECONDS


def _in_threads(work: list[Callable[[], None]]) -> None:
    threads = [threading.Thread(target=each) for each in work]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
