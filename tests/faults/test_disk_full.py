"""The disk fills up under a command that writes: it says so, nothing is lost, and it goes on.

As root the disk is a small file system that is really full, else a limit on the size of files.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bench.killcases import BASE, CASES, Case, Import
from bench.storediff import differences
from tests.faults.killing import Done, Runner, runner
from tests.faults.served import client_of, in_thread, make_store, opened, outcome, title_of
from tests.faults.smalldisk import SmallDisk, small_disk
from wikiapi.errors import StoreFull

PAGES = 150
SIZE = 64 << 20
WHOLE, STORE = "whole.sqlite", "store.sqlite"
TOLD = "Error: the disk is full or cannot be written"
HINT = "Hint: Free some space, then run the same command again"
LEAST = 100_000
"""What SQLite needs to open a store, and a transaction or two."""


class Writing:
    """A command on a small disk, with what it makes where there is room."""

    def __init__(self, case: Case, disk: SmallDisk, runs: Runner) -> None:
        self._case, self._disk, self._runs = case, disk, runs
        case.prepare(lambda *command: runs.finish(case.folder, *command))
        for store in (WHOLE, STORE):
            if case.from_base:
                shutil.copy(case.folder / BASE, case.folder / store)
        assert self.run(WHOLE).status == 0

    def run(self, store: str = STORE) -> Done:
        command = self._case.command(store)
        return self._runs.run(self._case.folder, *command, limit=self._disk.limit)

    def leave(self, share: float) -> None:
        """Leave a share of the room that it needs at least."""
        before = (self._case.folder / BASE).stat().st_size if self._case.from_base else 0
        after = (self._case.folder / WHOLE).stat().st_size
        self._disk.leave(max(LEAST, int(share * (after - before))))

    def path(self, store: str) -> Path:
        return self._case.folder / store


@pytest.fixture(scope="module")
def runs() -> Iterator[Runner]:
    with runner() as running:
        yield running


@pytest.fixture(params=CASES, ids=[case.name for case in CASES])
def case(request: pytest.FixtureRequest) -> type[Case]:
    return request.param


def fill_up(kind: type[Case], disk: SmallDisk, runs: Runner, share: float) -> None:
    """Let the command fail for want of room, make some, and let it go on."""
    made = kind(disk.folder, PAGES)
    with made.closing:
        writing = Writing(made, disk, runs)
        writing.leave(share)
        failed = writing.run()
        assert failed.status == 1, failed.output
        error, hint = failed.output.strip().splitlines()[-2:]
        assert error.startswith(TOLD)
        assert hint.startswith(HINT)
        assert is_whole(writing.path(STORE))
        disk.make_room()
        assert writing.run().status == 0
        assert list(differences(writing.path(WHOLE), writing.path(STORE))) == []


@pytest.mark.parametrize("share", [0.2, 0.7])
def test_it_says_so_and_goes_on_when_there_is_room_again(
    case: type[Case], runs: Runner, share: float, tmp_path: Path
) -> None:
    with small_disk(tmp_path / "disk", SIZE) as disk:
        fill_up(case, disk, runs, share)


def test_a_limit_of_the_user_is_the_same(runs: Runner, tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", SIZE, mounting=False) as disk:
        fill_up(Import, disk, runs, 0.5)


def is_whole(path: Path) -> bool:
    """Return whether SQLite finds no problem in the file."""
    with closing(sqlite3.connect(path)) as db:
        return bool(db.execute("PRAGMA integrity_check").fetchone() == ("ok",))


class TestServed:
    """A wiki whose disk is full is read all the same."""

    @pytest.fixture
    def full(self, tmp_path: Path) -> Iterator[SmallDisk]:
        with small_disk(tmp_path / "disk", SIZE) as disk:
            if not disk.is_mounted:
                pytest.skip("no file system can be mounted here")
            make_store(disk.folder / STORE)
            yield disk

    def test_by_a_server_that_runs(self, full: SmallDisk) -> None:
        with opened(f"sqlite:///{full.folder / STORE}") as site:
            client = client_of(site)
            assert title_of(client) == "ok"
            full.leave(0)
            assert title_of(client) == "ok"
            assert outcome(client, action="parse", page="World") == "ok"
            assert in_thread(lambda: outcome(client, action="parse", page="Main Page")) == "ok"

    @pytest.mark.parametrize("read_only", [True, False])
    def test_one_that_starts_says_so(self, full: SmallDisk, read_only: bool) -> None:
        url, database = f"sqlite:///{full.folder / STORE}", {"read_only": read_only}
        full.leave(0)
        with pytest.raises(StoreFull, match="the disk is full"), opened(url, database=database):
            pass
        full.make_room()
        with opened(url, database=database) as site:
            assert title_of(client_of(site)) == "ok"
