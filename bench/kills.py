"""``wikiapi import`` killed at random points and started again: the store must come out the same.

Every round imports into a new store with link tables, search index and recent changes, is ended by
SIGKILL at a moment between its start and its end, and goes on with the same command.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from bench.dumpmaker import DumpMaker
from bench.report import Figure, publish
from bench.storediff import differences

KILLS = int(os.environ.get("KILLS", "50"))
PAGES = int(os.environ.get("PAGES", "4000"))
REFERENCE = Path(__file__).parents[2] / "shared" / "reference" / "refwiki.xml.gz"
_SEED = 45


@dataclass
class Outcome:
    """What became of the rounds: kills that found the import still running, stores that differ."""

    seconds: float
    killed: int = 0
    differing: list[str] = field(default_factory=list)


class KillTest:
    """Rounds with one dump, in one folder. The same seed kills at the same shares of the time."""

    def __init__(self, dump: Path, folder: Path, jobs: int) -> None:
        """``jobs`` processes derive the links of a dump that is large enough."""
        self._dump, self._folder, self._jobs = dump, folder, jobs
        self._random = random.Random(_SEED)

    def run(self, kills: int) -> Outcome:
        """Kill so many imports and compare each store with that of one left in peace."""
        start = time.perf_counter()
        self._finish("undisturbed")
        outcome = Outcome(time.perf_counter() - start)
        while outcome.killed < kills:
            name = f"round-{outcome.killed}"
            if self._killed(name, outcome.seconds * self._random.random()):
                outcome.killed += 1
                self._finish(name)
                pair = self._store("undisturbed"), self._store(name)
                outcome.differing += (f"{name}: {text}" for text in differences(*pair))
            self._remove(name)
        return outcome

    def _store(self, name: str) -> Path:
        return self._folder / f"{name}.sqlite"

    def _command(self, name: str) -> list[str]:
        options = ["--database", f"sqlite:///{self._store(name)}", "--jobs", str(self._jobs)]
        config = ["--write-config", str(self._folder / f"{name}.toml")]
        return [sys.executable, "-m", "wikiapi", "import", *options, *config, str(self._dump)]

    def _finish(self, name: str) -> None:
        subprocess.run(self._command(name), check=True, stderr=subprocess.DEVNULL)

    def _killed(self, name: str, seconds: float) -> bool:
        """Start an import and kill it; says whether it had not ended by then."""
        process = subprocess.Popen(self._command(name), stderr=subprocess.DEVNULL)
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
        return process.wait() == -signal.SIGKILL

    def _remove(self, name: str) -> None:
        for path in self._folder.glob(f"{name}.*"):
            path.unlink()


def run() -> bool:
    """Measure; says whether every store came out the same."""
    figures = []
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder, "made.xml")
        DumpMaker(PAGES).write(made)
        dumps = {f"{PAGES} made pages, 2 processes": (made, 2)}
        if REFERENCE.exists():
            dumps["reference wiki"] = REFERENCE, 1
        for number, (name, (dump, jobs)) in enumerate(dumps.items()):
            rounds = Path(folder, str(number))
            rounds.mkdir()
            outcome = KillTest(dump, rounds, jobs).run(KILLS)
            print(*outcome.differing, sep="\n")
            figures += [
                Figure(f"{name}: undisturbed", outcome.seconds, "s"),
                Figure(f"{name}: kills", outcome.killed, ""),
                Figure(f"{name}: differing", len(outcome.differing), "", None, 0, of="value"),
            ]
    return publish("kills", figures)
