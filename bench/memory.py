"""The memory of a server and of the processes that it started, during a run.

The first half of a run is the warm-up, in which caches fill and threads receive every kind of
request for the first time. The Theil–Sen line through the samples of the second half (the median of
the slopes between them, on which a peak has no influence) may rise by at most two per cent.
"""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from bench.report import RESULTS, Figure

MAX_RATIO = 1.02
INTERVAL = 2.0
"""Seconds between two samples."""


class Sample(NamedTuple):
    """Seconds since the run began, and MB (1e6 bytes) of the server and of its descendants."""

    seconds: float
    server: float
    processes: float

    @property
    def total(self) -> float:
        """The sum of both."""
        return self.server + self.processes


@dataclass
class Memory:
    """The samples of a run."""

    samples: list[Sample] = field(default_factory=list)

    async def watch(self, process: int, seconds: float) -> None:
        """Take samples of a process for some seconds."""
        started = time.monotonic()
        while (past := time.monotonic() - started) < seconds:
            self.samples.append(Sample(round(past, 1), *resident(process)))
            await asyncio.sleep(INTERVAL)

    def figures(self) -> Iterator[Figure]:
        """Yield the size and the growth in the second half, and the maximum."""
        half = self.samples[len(self.samples) // 2 :]
        size = statistics.median(sample.total for sample in half)
        rise = slope([(sample.seconds, sample.total) for sample in half])
        grown = 1 + rise * (half[-1].seconds - half[0].seconds) / size
        yield Figure("memory, second half", size, "MB", grown, MAX_RATIO)
        yield Figure("memory a minute, second half", rise * 60, "MB")
        yield Figure("memory, highest", max(sample.total for sample in self.samples), "MB")

    def write(self, name: str) -> None:
        """Write all samples to a file beside the results."""
        RESULTS.mkdir(exist_ok=True)
        text = json.dumps({"columns": Sample._fields, "samples": self.samples})
        (RESULTS / f"{name}.json").write_text(text.replace("], [", "],\n[") + "\n", "utf-8")


def slope(points: list[tuple[float, float]]) -> float:
    """Return the slope of the Theil–Sen line through points; 0 for a single point."""
    slopes = [
        (later[1] - earlier[1]) / (later[0] - earlier[0])
        for earlier, later in combinations(points, 2)
        if later[0] > earlier[0]
    ]
    return statistics.median(slopes) if slopes else 0.0


def resident(process: int) -> tuple[float, float]:
    """Return the resident memory in MB of a process, and of all its descendants together."""
    return _size(process), sum(map(_size, descendants(process)))


def descendants(process: int | str) -> set[str]:
    """Return the numbers of the processes that a process started, and of those that they did."""
    threads = Path(f"/proc/{process}/task").glob("*/children")
    started = {number for thread in threads for number in _read(thread).split()}
    return started.union(*map(descendants, started))


def _size(process: int | str) -> float:
    fields = _read(Path(f"/proc/{process}/statm")).split()
    return int(fields[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6 if fields else 0.0


def _read(path: Path) -> str:
    """Return the text of a file in /proc; empty if the thread or process has just ended."""
    with suppress(OSError):
        return path.read_text(encoding="ascii")
    return ""
