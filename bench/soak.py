"""Half an hour of load by many clients on two processes, one of which is killed every minute.

The clients and the wiki are those of :mod:`bench.load`. A request may fail only if the process that
had accepted its connection was killed. The older of the two processes is never killed. Its memory
may not grow in the second half of the run, and later processes may not be larger than earlier ones.
"""

from __future__ import annotations

import asyncio
import math
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from bench import load
from bench.load_client import Tally
from bench.memory import Memory, resident, slope
from bench.report import Figure, publish
from tests.reference import material

MINUTES = 30.0
WORKERS = 2
BETWEEN_KILLS = 60.0
PATIENCE = 60.0
"""Seconds within which all processes must have started."""


@dataclass
class Kills:
    """The processes that were killed."""

    sizes: list[tuple[float, float]] = field(default_factory=list)
    """For each process, the minutes since the first kill, and its size in MB."""
    clients: set[int] = field(default_factory=set)
    """Ports of the clients whose connections they held."""


def run(minutes: float = MINUTES) -> bool:
    """Measure; return whether the targets are met."""
    if not material.available():
        print(f"soak: {material.MISSING}")
        return True
    tally, memory, kills, seconds = Tally(), Memory(), Kills(), minutes * 60
    with (
        tempfile.TemporaryDirectory() as folder,
        load.serving(Path(folder), workers=WORKERS) as (port, manager),
    ):
        survivor = asyncio.run(_survivor(manager))
        asyncio.run(
            load.attack(
                port,
                seconds,
                tally,
                memory.watch(survivor.pid, seconds),
                _kill(manager, survivor, seconds, kills),
            )
        )
    lost = [failure for failure in tally.failures if failure.port in kills.clients]
    tally.failures = [failure for failure in tally.failures if failure.port not in kills.clients]
    load.print_report(tally, memory)
    memory.write("soak-memory")
    figures = [
        *load.figures_of(tally, memory, seconds),
        Figure("processes killed", len(kills.sizes), ""),
        Figure("requests lost with them", len(lost), ""),
        *_sizes(kills),
    ]
    return publish("soak", figures)


def _sizes(kills: Kills) -> Iterator[Figure]:
    if kills.sizes:
        yield Figure("memory of those killed", max(size for _, size in kills.sizes), "MB")
        yield Figure("growth from one to the next", slope(kills.sizes), "MB")


async def _survivor(manager: int) -> psutil.Process:
    """Return the oldest worker process, once all of them have started."""
    async with asyncio.timeout(PATIENCE):
        while len(workers := psutil.Process(manager).children()) < WORKERS:
            await asyncio.sleep(0.1)
    return min(workers, key=psutil.Process.create_time)


async def _kill(manager: int, survivor: psutil.Process, seconds: float, kills: Kills) -> None:
    """Kill the other process repeatedly, until shortly before the end."""
    for number in range(math.ceil(seconds / BETWEEN_KILLS) - 1):
        await asyncio.sleep(BETWEEN_KILLS)
        for victim in psutil.Process(manager).children():
            with suppress(psutil.NoSuchProcess):
                if victim != survivor:
                    _kill_one(victim, number, kills)


def _kill_one(victim: psutil.Process, number: int, kills: Kills) -> None:
    # A suspended process accepts no more connections, so these are all that it has.
    victim.suspend()
    kills.clients |= {each.raddr.port for each in victim.net_connections() if each.raddr}
    kills.sizes.append((number, sum(resident(victim.pid))))
    victim.kill()
