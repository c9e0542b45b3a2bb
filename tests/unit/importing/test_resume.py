"""An import that is killed at any moment, and started again, makes the same store."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.unit.importing.xmldump import dump, page, redirect, revision

pytestmark = pytest.mark.slow

SCRIPT = Path(__file__).with_name("killable.py")
ROOT = Path(__file__).parents[3]
PAGES = 130


def make_dump() -> bytes:
    return dump(
        page("Template:Box", 1, revision(1, "[[Category:Boxed]] {{{1}}}"), ns=10),
        *(make_page(number) for number in range(2, PAGES)),
        page("Moved", PAGES, more=redirect("Page 5")),
    )


def make_page(number: int) -> str:
    links = f"[[Page {number % 9}]] [[File:P{number}.png]] https://e{number}.org/"
    text = f"{{{{Box|{number}}}}} {links} words"
    history = [
        revision(
            1000 * number + n,
            f"{text} {n}",
            parent=1000 * number + n - 1 if n else 0,
            who=f"<username>User {number % 7}</username><id>{number % 7 + 1}</id>",
            more=f"<comment>change {number * n % 11}</comment>",
        )
        for n in range(3)
    ]
    return page(f"Page {number}", number, *history)


def run(folder: Path, name: str, kill_at: int = 0) -> tuple[int, str]:
    """Return the exit status and the output."""
    arguments = [str(folder / name), str(folder / "dump.xml"), str(kill_at)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, str(SCRIPT), *arguments],
        check=False,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    )
    return done.returncode, done.stdout


def rows(path: Path) -> dict[str, list[Any]]:
    with closing(sqlite3.connect(path)) as db:
        names = db.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'searchindex%'"
        ).fetchall()
        contents = {
            name: sorted(db.execute(f'SELECT * FROM "{name}"'), key=repr) for (name,) in names
        }
        contents["indexes"] = sorted(
            db.execute("SELECT name FROM sqlite_master WHERE type = 'index'").fetchall()
        )
        match = "SELECT rowid FROM searchindex WHERE searchindex MATCH ? ORDER BY 1"
        for word in ("words", "box", "2"):
            contents[f"search for {word}"] = db.execute(match, (word,)).fetchall()
        db.execute("INSERT INTO searchindex (searchindex, rank) VALUES ('integrity-check', 1)")
        db.rollback()
    return contents


class Undisturbed(NamedTuple):
    """The folder of the dump, what an import of it makes, and in how many statements."""

    folder: Path
    rows: dict[str, list[Any]]
    statements: int


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    folder = tmp_path_factory.mktemp("import")
    (folder / "dump.xml").write_bytes(make_dump())
    status, printed = run(folder, "undisturbed.sqlite")
    assert status == 0
    return Undisturbed(folder, rows(folder / "undisturbed.sqlite"), int(printed))


# Per cent of the statements: from before the first transaction to the last counters.
@pytest.mark.parametrize("percent", [3, 15, 22, 33, 47, 58, 72, 81, 88, 94, 99])
def test_killed_import_resumes_without_loss_or_duplicates(
    undisturbed: Undisturbed, percent: int
) -> None:
    folder, expected, statements = undisturbed
    name = f"killed-{percent}.sqlite"
    assert run(folder, name, statements * percent // 100)[0] == -signal.SIGKILL
    killed = rows(folder / name)
    # Whole transactions of 20 pages, the last one shorter, and every page with its history.
    assert len(killed["page"]) in {*range(0, PAGES, 20), PAGES}
    assert {row[0] for row in killed["page"]} == {row[1] for row in killed["revision"]}
    assert run(folder, name)[0] == 0
    resumed = rows(folder / name)
    assert resumed.keys() == expected.keys()
    for table, content in expected.items():
        assert resumed[table] == content, table


def test_killed_again_and_again(undisturbed: Undisturbed) -> None:
    folder, expected, statements = undisturbed
    for percent in (25, 30, 35, 12):
        assert run(folder, "again.sqlite", statements * percent // 100)[0] == -signal.SIGKILL
    assert run(folder, "again.sqlite")[0] == 0
    assert rows(folder / "again.sqlite") == expected
