"""Commands that are killed while they write to a server, and given again: nothing is lost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bench.killpages import newer, older, write_dump
from tests.faults.contents import contents
from tests.faults.killing import KILLED, Done, Runner, runner
from tests.servers import Server

PAGES = 40
OLDER = ("import", "--jobs", "1", "older.xml")
NEWER = ("import", "--jobs", "1", "--prune", "newer.xml")


class Stores:
    """Makes databases on a server, and runs commands on them in a folder with the dumps."""

    def __init__(self, server: Server, folder: Path, runs: Runner) -> None:
        self._server, self._folder, self._runs = server, folder, runs
        write_dump(folder / "older.xml", older(PAGES))
        write_dump(folder / "newer.xml", newer(PAGES))

    def new(self, name: str, *commands: tuple[str, ...]) -> str:
        """Return the URL of a database on which commands have been run."""
        url = self._server.create(name)
        for command in commands:
            assert self.run(url, command).status == 0
        return url

    def run(self, url: str, command: tuple[str, ...], fatal: int = 0) -> Done:
        """Run a command on a database."""
        return self._runs.run(self._folder, *command, "--database", url, fatal=fatal)


@pytest.fixture(scope="module")
def stores(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stores]:
    with runner() as runs:
        yield Stores(server, tmp_path_factory.mktemp("kills"), runs)


def test_a_store_that_was_begun_is_finished(stores: Stores) -> None:
    """On MariaDB each table is a transaction of its own."""
    whole = stores.new("made")
    commits = stores.run(whole, ("db", "init")).commits
    moments = {1, 2, 3, commits // 2, *range(commits - 4, commits + 1)}
    for fatal in sorted(moments & set(range(1, commits + 1))):
        url = stores.new(f"made_{fatal}")
        assert stores.run(url, ("db", "init"), fatal).status == KILLED
        again = stores.run(url, ("db", "init"))
        assert again.status == 0, f"killed before commit {fatal} of {commits}: {again.output}"
        assert contents(url) == contents(whole)


@pytest.mark.parametrize(
    ("name", "before", "command"),
    [("into_new", (), OLDER), ("into_older", (OLDER,), NEWER)],
    ids=["a new store", "an older store, with --prune"],
)
def test_it_goes_on_with_the_same_command(
    stores: Stores, name: str, before: tuple[Any, ...], command: tuple[str, ...]
) -> None:
    whole = stores.new(name, *before)
    commits = stores.run(whole, command).commits
    assert commits
    for number, share in enumerate((0.1, 0.4, 0.7, 1.0)):
        url = stores.new(f"{name}_{number}", *before)
        assert stores.run(url, command, max(1, int(commits * share))).status == KILLED
        again = stores.run(url, command)
        assert again.status == 0, f"killed before {share} of the commits: {again.output}"
        assert contents(url) == contents(whole), f"killed before {share} of the commits"
