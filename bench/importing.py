"""``wikiapi import`` of a generated dump, compared with a loop that only reads and inserts texts.

Each runs in a separate process; time is wall-clock time, memory is peak resident memory.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.dumpmaker import DumpMaker
from bench.report import Figure, publish

PAGES = int(os.environ.get("PAGES", "100000"))
ROUNDS = 2
MAX_RATIO = 6
MAX_MEMORY = 200


@dataclass(frozen=True)
class Run:
    """The time that a program took, in seconds, and its peak memory in MB."""

    seconds: float
    memory: float


def run() -> bool:
    """Measure; return whether the targets are met."""
    with tempfile.TemporaryDirectory() as folder:
        dump, last = Path(folder, "dump.xml"), ""
        DumpMaker(PAGES).write(dump)
        bare_runs, imports = [], []
        # They take turns, so that other work affects both; the fastest run of each counts.
        for turn in range(ROUNDS):
            bare_runs.append(_bare(dump, Path(folder, f"bare-{turn}.sqlite")))
            last = f"sqlite:///{Path(folder, f'store-{turn}.sqlite')}"
            imports.append(_pages(dump, last))
        bare, pages = (min(runs, key=lambda run: run.seconds) for runs in (bare_runs, imports))
        links = _run([*_wikiapi("links"), "--database", last])
        size = dump.stat().st_size / 1e6
    return publish("importing", _figures(bare, pages, links, size))


def _figures(bare: Run, pages: Run, links: Run, size: float) -> list[Figure]:
    return [
        Figure(f"dump of {PAGES} pages", size, "MB"),
        Figure("bare loop", bare.seconds, "s", 1.0),
        Figure("pages", pages.seconds, "s", pages.seconds / bare.seconds, MAX_RATIO),
        Figure("links", links.seconds, "s", links.seconds / bare.seconds),
        Figure("memory, pages", pages.memory, "MB", None, MAX_MEMORY, target_of="value"),
        Figure("memory, links", links.memory, "MB", None, MAX_MEMORY, target_of="value"),
    ]


def _bare(dump: Path, database: Path) -> Run:
    return _run([sys.executable, "-m", "bench.bare_import", str(dump), str(database)])


def _pages(dump: Path, url: str) -> Run:
    return _run([*_wikiapi("import"), "--database", url, "--no-links", str(dump)])


def _wikiapi(command: str) -> list[str]:
    return [sys.executable, "-m", "wikiapi", command]


def _run(command: Sequence[str]) -> Run:
    # On Linux, a program inherits the peak memory of the process that starts it. A small process is
    # used for that, because an earlier benchmark in this one may have needed more memory.
    helper = [sys.executable, "-m", "bench.measured", *command]
    measured = subprocess.run(helper, stdout=subprocess.PIPE, check=True)
    return Run(**json.loads(measured.stdout))
