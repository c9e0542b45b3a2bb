"""A command that writes is killed before its commits and given again: nothing differs.

``make bench ONLY=kills`` does it with larger wikis, at moments that nobody has chosen.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bench.killcases import BASE, CASES, Case
from bench.storediff import differences
from tests.faults.killing import KILLED, Done, Runner, runner

PAGES = 60
WHOLE = "whole.sqlite"
MOMENTS = 8
"""How many of a command's commits it is killed at."""
_HAS_PAGES = "SELECT 1 FROM sqlite_master WHERE name = 'page'"
_LOST = "SELECT count(*) FROM page WHERE page_latest NOT IN (SELECT rev_id FROM revision)"


class Victim:
    """A command, what it makes when it is left in peace, and in how many commits."""

    def __init__(self, case: Case, runs: Runner) -> None:
        self._case, self._runs = case, runs
        self.pages_stay_complete = case.pages_stay_complete
        case.prepare(lambda *command: runs.finish(case.folder, *command))
        self.commits = self.begin(WHOLE).commits

    def begin(self, store: str, fatal: int = 0) -> Done:
        """Run it on a new store."""
        if self._case.from_base:
            shutil.copy(self._case.folder / BASE, self.path(store))
        return self.go_on(store, fatal)

    def go_on(self, store: str, fatal: int = 0) -> Done:
        return self._runs.run(self._case.folder, *self._case.command(store), fatal=fatal)

    def path(self, store: str) -> Path:
        return self._case.folder / store

    def differing(self, store: str) -> list[str]:
        return list(differences(self.path(WHOLE), self.path(store)))


@pytest.fixture(scope="module")
def runs() -> Iterator[Runner]:
    with runner() as running:
        yield running


@pytest.fixture(scope="module", params=CASES, ids=[case.name for case in CASES])
def victim(
    request: pytest.FixtureRequest, runs: Runner, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Victim]:
    case = request.param(tmp_path_factory.mktemp("kills"), PAGES)
    with case.closing:
        yield Victim(case, runs)


def test_killed_before_a_commit_it_is_finished_by_the_same_command(victim: Victim) -> None:
    for fatal in moments(victim.commits):
        store = f"killed-{fatal}.sqlite"
        assert victim.begin(store, fatal).status == KILLED
        assert is_sound(victim.path(store), pages=victim.pages_stay_complete)
        assert victim.go_on(store).status == 0
        assert victim.differing(store) == [], f"killed before commit {fatal} of {victim.commits}"


def test_killed_again_and_again(victim: Victim) -> None:
    assert victim.begin("again.sqlite", 2).status == KILLED
    fatal = 3
    while victim.go_on("again.sqlite", fatal).status == KILLED:
        # Each run is_repeatable a few commits, such as that which puts off the indexes.
        fatal += 3
    assert fatal > 6
    assert victim.differing("again.sqlite") == []


def test_a_finished_command_writes_nothing_when_it_is_run_again(
    victim: Victim, request: pytest.FixtureRequest
) -> None:
    if "--all" in request.node.name:
        pytest.skip("whoever asks for all has all derived again, and caches know of it")
    victim.begin("twice.sqlite")
    victim.go_on("twice.sqlite")
    assert victim.differing("twice.sqlite") == []


def moments(commits: int) -> list[int]:
    """Return the numbers of some commits: the first, the last, and some between."""
    assert commits > MOMENTS // 2
    share = (commits - 1) / (MOMENTS - 1)
    return sorted({1 + round(n * share) for n in range(MOMENTS)})


def is_sound(path: Path, *, pages: bool) -> bool:
    """Return whether the killed store can be read; with ``pages``, whether all have texts."""
    with closing(sqlite3.connect(path)) as db:
        (answer,) = db.execute("PRAGMA integrity_check").fetchone()
        if not pages or not db.execute(_HAS_PAGES).fetchone():
            return bool(answer == "ok")
        (lost,) = db.execute(_LOST).fetchone()
    return bool(answer == "ok" and lost == 0)
