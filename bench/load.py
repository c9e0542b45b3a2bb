"""Many clients for minutes: reads and hostile requests, against ``wikiapi serve``.

The wiki is a copy of the reference wiki. No answer may be a 5xx but the 503 of a server that is
asked too much, the slowest hundredth may take 20 times the median, and memory may not grow in the
second half of the run (see :mod:`bench.memory`).
"""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from bench.load_client import Client, Tally, trickle
from bench.load_requests import requests
from bench.memory import Memory
from bench.report import Figure, publish
from tests.reference import material
from wikiapi.store.database import Database

CLIENTS = 64
SLOW = 8
MINUTES = 10.0
TAIL = 20.0
_START = 60.0


def run(minutes: float = MINUTES, threads: int | None = None) -> bool:
    """Measure; says whether the targets are met."""
    if not material.available():
        print(f"load: {material.MISSING}")
        return True
    tally, memory, seconds = Tally(), Memory(), minutes * 60
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder), threads) as (port, process):
        asyncio.run(_load(port, process, seconds, tally, memory))
    _tell(tally, memory)
    memory.keep()
    return publish("load", [*_figures(tally, memory, seconds)])


async def _load(port: int, process: int, seconds: float, tally: Tally, memory: Memory) -> None:
    titles = _titles()
    ends = time.monotonic() + seconds

    async def client(seed: int) -> None:
        connection = Client(port, tally)
        for asked in requests(titles, seed):
            if time.monotonic() > ends:
                break
            await connection.send(asked)
        connection.close()

    slow = (trickle(port, seconds) for _ in range(SLOW))
    await asyncio.gather(
        *(client(seed) for seed in range(CLIENTS)), *slow, memory.watch(process, seconds)
    )


def _figures(tally: Tally, memory: Memory, seconds: float) -> Iterator[Figure]:
    every = [each for times in tally.seconds.values() for each in times]
    yield Figure("requests a second", sum(tally.statuses.values()) / seconds, "/s")
    yield _latency("all answers", every)
    for kind, times in sorted(tally.seconds.items()):
        yield _latency(kind, times)
    yield Figure("failures", len(tally.failures), "", target=0, of="value")
    yield from memory.figures()


def _latency(kind: str, times: list[float]) -> Figure:
    """Return the median, and the 99th percentile in medians."""
    median = statistics.median(times)
    tail = sorted(times)[int(len(times) * 0.99)]
    return Figure(kind, median * 1000, "ms", tail / median, TAIL)


def _tell(tally: Tally, memory: Memory) -> None:
    for key, number in sorted(tally.statuses.items()):
        print(f"  {number:8} {key}")
    for failure in tally.failures[:10]:
        print(f"  FAILURE {failure}")
    shown = memory.samples[:: max(1, len(memory.samples) // 20)]
    print("  MB:", " ".join(f"{sample.total:.0f}" for sample in shown))
    print("  load of the machine:", *(f"{each:.1f}" for each in os.getloadavg()))


def _titles() -> list[str]:
    """Pages of the reference wiki, but for those that take seconds to render."""
    from wikiapi.store.models import Page

    with closing(Database(f"sqlite:///{material.unpack('refwiki.sqlite')}", read_only=True)) as db:
        rows = db.execute(
            Page.select(Page.page_title)
            .where(Page.page_namespace == 0, Page.page_len < 10_000)
            .order_by(Page.page_id)
        )
    return [str(title) for (title,) in rows]


@contextmanager
def serving(folder: Path, threads: int | None = None) -> Iterator[tuple[int, int]]:
    """``wikiapi serve`` on a copy of the reference wiki: its port and its process id."""
    port = _free_port()
    command = [sys.executable, "-m", "wikiapi", "serve", "--config", str(_config(folder, port))]
    if threads:
        command += ["--threads", str(threads)]
    with (folder / "log").open("wb") as log, subprocess.Popen(command, stderr=log) as process:
        try:
            _await(port, process)
            yield port, process.pid
        finally:
            process.terminate()
            process.wait(_START)
            shutil.copyfileobj((folder / "log").open(errors="replace"), sys.stdout)


def _config(folder: Path, port: int) -> Path:
    """The configuration of the reference wiki, but for the addresses; its files are its own."""
    store, config = folder / "refwiki.sqlite", folder / "wikiapi.toml"
    shutil.copyfile(material.unpack("refwiki.sqlite"), store)
    text = (Path(material.__file__).parent / "refwiki.toml").read_text(encoding="utf-8")
    text = text.partition("[[repositories]]")[0]
    text = text.replace("[database]", f'[database]\nurl = "sqlite:///{store}"')
    # Small, so that they are full when the second half begins: what grows then is a leak.
    text += "[limits]\ntemplate_cache_bytes = 4000000\n[cache]\nsize = 8000000\n"
    text = text.replace('listen = "127.0.0.1:8045"', f'listen = "127.0.0.1:{port}"')
    config.write_text(text, encoding="utf-8")
    return config


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def _await(port: int, process: subprocess.Popen[bytes]) -> None:
    limit = time.monotonic() + _START
    while process.poll() is None and time.monotonic() < limit:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=5).close()
        except ConnectionRefusedError:
            time.sleep(0.1)
        else:
            return
    raise RuntimeError("the server did not start")
