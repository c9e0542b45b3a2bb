"""The memory of a server and of the processes that it started, over the time of a run.

Caches fill and threads meet every kind of request for the first time in the first half of a run,
which is left out as warming up. What counts is the second: the line through its samples (by Theil
and Sen, the median of the slopes between them, which a peak does not move) may rise by two per cent
at most from the half's beginning to its end.
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

WITHIN = 1.02
EVERY = 2.0
"""Seconds from one sample to the next."""
DETAILS = "load-memory"


class Sample(NamedTuple):
    """Seconds since the run began; MB (1e6 bytes) of the server and of its processes."""

    seconds: float
    server: float
    processes: float

    @property
    def total(self) -> float:
        """All together."""
        return self.server + self.processes


@dataclass
class Memory:
    """The samples of a run."""

    samples: list[Sample] = field(default_factory=list)

    async def watch(self, process: int, seconds: float) -> None:
        """Take samples of a process."""
        started = time.monotonic()
        while (past := time.monotonic() - started) < seconds:
            self.samples.append(Sample(round(past, 1), *_resident(process)))
            await asyncio.sleep(EVERY)

    def figures(self) -> Iterator[Figure]:
        """What the second half shows."""
        half = self.samples[len(self.samples) // 2 :]
        size = statistics.median(sample.total for sample in half)
        rise = slope([(sample.seconds, sample.total) for sample in half])
        grown = 1 + rise * (half[-1].seconds - half[0].seconds) / size
        yield Figure("memory, second half", size, "MB", grown, WITHIN)
        yield Figure("memory a minute, second half", rise * 60, "MB")
        yield Figure("memory, highest", max(sample.total for sample in self.samples), "MB")

    def keep(self) -> None:
        """Write all samples beside the results."""
        text = json.dumps({"columns": Sample._fields, "samples": self.samples})
        (RESULTS / f"{DETAILS}.json").write_text(text.replace("], [", "],\n[") + "\n", "utf-8")


def slope(points: list[tuple[float, float]]) -> float:
    """How much the second coordinate rises where the first does by one; 0 for a single point."""
    slopes = [
        (later[1] - earlier[1]) / (later[0] - earlier[0])
        for earlier, later in combinations(points, 2)
        if later[0] > earlier[0]
    ]
    return statistics.median(slopes) if slopes else 0.0


def _resident(process: int) -> tuple[float, float]:
    """MB of a process, and of those that it has started, as Lua's."""
    threads = Path(f"/proc/{process}/task").glob("*/children")
    started = {number for thread in threads for number in _read(thread).split()}
    return _size(process), sum(map(_size, started))


def _size(process: int | str) -> float:
    fields = _read(Path(f"/proc/{process}/statm")).split()
    return int(fields[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6 if fields else 0.0


def _read(path: Path) -> str:
    """Return a file of the kernel; nothing for a thread or process that has just ended."""
    with suppress(OSError):
        return path.read_text(encoding="ascii")
    return ""
