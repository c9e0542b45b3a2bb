"""Import, check and export of pages with Lua, with one process and with one per core.

Measures elapsed time, CPU time and peak memory of all processes together. The environment variable
``PAGES`` is the number of pages. The stores and the exported files must not depend on the number
of processes.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from bench.luadump import LuaDumpMaker
from bench.memory import resident
from bench.peer.cpu import cost_of
from bench.report import Figure, publish
from bench.storediff import differences
from wikiapi.cli.support.options import processors

PAGES = int(os.environ.get("PAGES", "10000"))
_INTERVAL = 0.5


class Run(NamedTuple):
    """Wall-clock seconds, CPU seconds and peak memory in MB, summed over all processes."""

    wall: float
    cpu: float
    memory: float


def run() -> bool:
    """Measure; return whether stores and exports are the same for any number of processes."""
    rows: list[Figure] = []
    with tempfile.TemporaryDirectory(prefix="cores-") as temporary:
        folder = Path(temporary)
        dump = folder / "dump.xml"
        LuaDumpMaker(PAGES).write(dump)
        runs = [1, processors()]
        for jobs in runs:
            rows += _figures("import", jobs, _measured(folder, jobs, "import", str(dump)))
        for jobs in runs:
            rows += _figures("check", jobs, _measured(folder, jobs, "check", "--links"))
        for jobs in runs:
            target = str(folder / f"{jobs}.jsonl")
            rows += _figures("export", jobs, _measured(folder, jobs, "export", "--jsonl", target))
        differing = list(differences(*(_store(folder, jobs) for jobs in runs)))
        texts = {(folder / f"{jobs}.jsonl").read_bytes() for jobs in runs}
    for difference in differing:
        print(difference)
    publish("cores", rows)
    return not differing and len(texts) == 1


def _store(folder: Path, jobs: int) -> Path:
    return folder / f"{jobs}.sqlite"


def _measured(folder: Path, jobs: int, *command: str) -> Run:
    url = f"sqlite:///{_store(folder, jobs)}"
    options = ["--database", url, "--jobs", str(jobs)]
    most = 0.0

    def measure() -> None:
        nonlocal most
        process = subprocess.Popen(
            [sys.executable, "-m", "wikiapi", *command, *options],
            cwd=folder,
            stdout=subprocess.DEVNULL,
        )
        while process.poll() is None:
            most = max(most, sum(resident(process.pid)))
            time.sleep(_INTERVAL)
        if process.returncode:
            raise RuntimeError(f"{command[0]} ended with status {process.returncode}")

    cost = cost_of(measure)
    return Run(cost.wall, cost.cpu, most)


def _figures(name: str, jobs: int, measured: Run) -> Iterator[Figure]:
    yield Figure(f"{name}, {jobs} jobs: clock", measured.wall, "s")
    yield Figure(f"{name}, {jobs} jobs: CPU", measured.cpu, "s")
    yield Figure(f"{name}, {jobs} jobs: memory", measured.memory, "MB")
