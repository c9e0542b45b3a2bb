"""Commands that write are killed at random moments and run again; the store must be the same.

Every round begins with a new store or a copy of an older one. The command is killed by SIGKILL at a
random moment, and continues when it is run again. Of the environment variables, ``KILLS`` is the
number of kills of each command, ``PAGES`` the size of the generated wiki, and ``COMMAND`` the name
of the only command to test.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from bench.killcases import BASE, CASES, Case
from bench.report import Figure, publish
from bench.storediff import differences

KILLS = int(os.environ.get("KILLS", "3"))
PAGES = int(os.environ.get("PAGES", "600"))
COMMAND = os.environ.get("COMMAND", "")
_SEED = 45
_WHOLE, _TWICE = "whole.sqlite", "twice.sqlite"


@dataclass
class Outcome:
    """The seconds of an undisturbed run, the number of kills, and the differences found."""

    seconds: float
    killed: int = 0
    differing: list[str] = field(default_factory=list)


class KillTest:
    """Rounds with one command; a fixed seed determines the moments of the kills."""

    def __init__(self, case: Case) -> None:
        """Prepare the files and the store that the command needs."""
        self._case, self._folder = case, case.folder
        self._random = random.Random(_SEED)
        case.prepare(self._run)

    def run(self, kills: int) -> Outcome:
        """Kill this number of runs and compare each store with that of an undisturbed run."""
        self._begin(_WHOLE)
        start = time.perf_counter()
        self._run(*self._case.command(_WHOLE))
        outcome = Outcome(time.perf_counter() - start)
        shutil.copy(self._folder / _WHOLE, self._folder / _TWICE)
        self._run_again(_TWICE)
        while outcome.killed < kills:
            store = f"round-{outcome.killed}.sqlite"
            self._begin(store)
            if self._kill_after(store, outcome.seconds * self._random.random()):
                outcome.killed += 1
                self._run_again(store)
                outcome.differing += self._differing(store)
            self._remove(store)
        return outcome

    def _differing(self, store: str) -> list[str]:
        """Return the differences from an undisturbed run, unless there are none from two runs.

        A command that was killed at its very end has in effect run twice.
        """
        differing = list(differences(self._folder / _WHOLE, self._folder / store))
        if differing and not list(differences(self._folder / _TWICE, self._folder / store)):
            return []
        return [f"{store}: {text}" for text in differing]

    def _begin(self, store: str) -> None:
        if self._case.from_base:
            shutil.copy(self._folder / BASE, self._folder / store)

    def _run(self, *command: str) -> None:
        done = subprocess.run(
            _wikiapi(command), check=False, cwd=self._folder, capture_output=True, text=True
        )
        if done.returncode:
            raise RuntimeError(f"{' '.join(command)} failed: {done.stderr[-2000:]}")

    def _run_again(self, store: str) -> None:
        """Run the command again; one that is not repeatable may refuse."""
        try:
            self._run(*self._case.command(store))
        except RuntimeError:
            if self._case.is_repeatable:
                raise

    def _kill_after(self, store: str, seconds: float) -> bool:
        """Start the command and kill it after a time; return whether it was still running."""
        command = _wikiapi(self._case.command(store))
        nothing = subprocess.DEVNULL
        process = subprocess.Popen(command, cwd=self._folder, stdout=nothing, stderr=nothing)
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
        return process.wait() == -signal.SIGKILL

    def _remove(self, store: str) -> None:
        for path in self._folder.glob(f"{store}*"):
            path.unlink()


def run() -> bool:
    """Measure; return whether all stores are the same as undisturbed ones."""
    figures: list[Figure] = []
    for kind in CASES:
        if not COMMAND or kind.name == COMMAND:
            figures += _measure(kind)
    return publish("kills", figures)


def _measure(kind: type[Case]) -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        case = kind(Path(folder), PAGES)
        with case.closing:
            outcome = KillTest(case).run(KILLS)
    print(f"{kind.name}: {outcome.killed} kills", *outcome.differing, sep="\n")
    yield Figure(f"{kind.name}: undisturbed", outcome.seconds, "s")
    yield Figure(f"{kind.name}: kills", outcome.killed, "")
    yield Figure(f"{kind.name}: differing", len(outcome.differing), "", None, 0, target_of="value")


def _wikiapi(command: tuple[str, ...]) -> list[str]:
    return [sys.executable, "-m", "wikiapi", *command]
