"""Many clients send reads and hostile requests to ``wikiapi serve`` for minutes.

The wiki is a copy of the reference wiki. No answer may have a 5xx status except the 503 of an
overloaded server, the 99th percentile may be at most 20 times the median, and memory may not grow
in the second half of the run (see :mod:`bench.memory`).
"""

from __future__ import annotations

import asyncio
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Coroutine, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from bench import servers
from bench.load_client import Client, Tally, trickle
from bench.load_requests import requests
from bench.memory import Memory
from bench.report import Figure, publish
from bench.servers import free_port
from tests.reference import material
from wikiapi.store.database import Database

CLIENTS = 64
SLOW = 8
MINUTES = 10.0
TAIL = 20.0


def run(minutes: float = MINUTES, threads: int | None = None) -> bool:
    """Measure; return whether the targets are met."""
    if not material.available():
        print(f"load: {material.MISSING}")
        return True
    tally, memory, seconds = Tally(), Memory(), minutes * 60
    options = ["--threads", str(threads)] if threads else []
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder), *options) as (port, server):
        asyncio.run(attack(port, seconds, tally, memory.watch(server, seconds)))
    print_report(tally, memory)
    memory.write("load-memory")
    return publish("load", [*figures_of(tally, memory, seconds)])


async def attack(
    port: int, seconds: float, tally: Tally, *others: Coroutine[None, None, None]
) -> None:
    """Run the clients against a port for some seconds, together with other coroutines."""
    titles = _titles()
    ends = time.monotonic() + seconds

    async def client(seed: int) -> None:
        connection = Client(port, tally)
        for request in requests(titles, seed):
            if time.monotonic() > ends:
                break
            await connection.send(request)
        connection.close()

    slow = (trickle(port, seconds) for _ in range(SLOW))
    await asyncio.gather(*(client(seed) for seed in range(CLIENTS)), *slow, *others)


def figures_of(tally: Tally, memory: Memory, seconds: float) -> Iterator[Figure]:
    """Yield the rate, the latency by kind of request, the failures and the memory."""
    all_times = [each for times in tally.seconds.values() for each in times]
    yield Figure("requests a second", sum(tally.statuses.values()) / seconds, "/s")
    yield _latency("all answers", all_times)
    for kind, times in sorted(tally.seconds.items()):
        yield _latency(kind, times)
    yield Figure("failures", len(tally.failures), "", target=0, target_of="value")
    yield from memory.figures()


def _latency(kind: str, times: list[float]) -> Figure:
    """Return the median, and the ratio of the 99th percentile to it."""
    median = statistics.median(times)
    tail = sorted(times)[int(len(times) * 0.99)]
    return Figure(kind, median * 1000, "ms", tail / median, TAIL)


def print_report(tally: Tally, memory: Memory) -> None:
    """Print the statuses of the answers, some failures, and the memory over the run."""
    for key, number in sorted(tally.statuses.items()):
        print(f"  {number:8} {key}")
    for failure in tally.failures[:10]:
        print(f"  FAILURE {failure.text}")
    samples = memory.samples[:: max(1, len(memory.samples) // 20)]
    print("  MB:", " ".join(f"{sample.total:.0f}" for sample in samples))
    print("  load of the machine:", *(f"{each:.1f}" for each in os.getloadavg()))


def _titles() -> list[str]:
    """Return the pages of the reference wiki, except those that take seconds to render."""
    from wikiapi.store.models import Page

    with closing(Database(f"sqlite:///{material.unpack('refwiki.sqlite')}", read_only=True)) as db:
        rows = db.execute(
            Page.select(Page.page_title)
            .where(Page.page_namespace == 0, Page.page_len < 10_000)
            .order_by(Page.page_id)
        )
    return [str(title) for (title,) in rows]


@contextmanager
def serving(folder: Path, *options: str, workers: int = 1) -> Iterator[tuple[int, int]]:
    """Run ``wikiapi serve`` with a copy of the reference wiki; yield its port and process id."""
    port = free_port()
    config, log = write_config(folder, port), folder / "log"
    try:
        with servers.serving(config, port, log, *options, workers=workers) as process:
            yield port, process.pid
    finally:
        shutil.copyfileobj(log.open(errors="replace"), sys.stdout)


def write_config(folder: Path, port: int) -> Path:
    """Copy the reference wiki, and write a configuration for a port; return its path."""
    store, config = folder / "refwiki.sqlite", folder / "wikiapi.toml"
    shutil.copyfile(material.unpack("refwiki.sqlite"), store)
    text = (Path(material.__file__).parent / "refwiki.toml").read_text(encoding="utf-8")
    text = text.partition("[[repositories]]")[0]
    text = text.replace("[database]", f'[database]\nurl = "sqlite:///{store}"')
    # Small caches, which are full when the second half begins: memory that grows then is a leak.
    text += "[limits]\ntemplate_cache_bytes = 4000000\n[cache]\nsize = 8000000\n"
    text = text.replace('listen = "127.0.0.1:8045"', f'listen = "127.0.0.1:{port}"')
    config.write_text(text, encoding="utf-8")
    return config
