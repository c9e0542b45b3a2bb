"""Wikis of which ``LocalSettings.php`` is taken over, and what is expected of them.

``python -m tests.unit.attach.wikis`` writes the expected files of ``tests/fixtures/localsettings``
anew.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import chdir
from pathlib import Path
from typing import NamedTuple

from click.testing import CliRunner

from tests.cases import FIXTURES
from wikiapi.attach.extensions import Installed
from wikiapi.cli import main

WIKIS = FIXTURES / "localsettings"
NAMES = ("company", "family", "games")
FILES = {"family": ("data/attic.sqlite", "images/"), "games": ("images/",), "company": ()}
"""Files and folders that the wikis have besides."""
FOLDER = "/FOLDER"
"""Stands for the folder of the wiki in the expected files."""

INSTALLED = Installed(
    plugins={
        "cite": "cite",
        "displaytitle": "displaytitle",
        "parserfunctions": "parserfunctions",
        "scribunto": "scribunto",
    },
    optional=frozenset({"displaytitle"}),
    groups={"*": ["read", "edit"], "user": ["move"], "sysop": ["delete"]},
)
"""A wikiapi with few plugins and rights."""


class Outcome(NamedTuple):
    """The configuration that a command wrote, its report, and the mode of the file."""

    toml: str
    report: str
    mode: int


def outcome(name: str, folder: Path) -> Outcome:
    """Take over a wiki in a folder that does not exist yet, as its owner does."""
    shutil.copytree(WIKIS / name, folder)
    for file in FILES[name]:
        path = folder / file
        (path if file.endswith("/") else path.parent).mkdir()
        if not file.endswith("/"):
            path.touch()
    with chdir(folder):
        result = CliRunner().invoke(main, ["config", "from", "LocalSettings.php"])
    assert result.exit_code == 0, result.output
    path = folder / "wikiapi.toml"
    text, report = (
        text.replace(os.fspath(folder), FOLDER)
        for text in (path.read_text(encoding="utf-8"), result.output)
    )
    return Outcome(text, report, path.stat().st_mode & 0o777)


def write() -> None:
    """Write the expected files."""
    with tempfile.TemporaryDirectory() as folder:
        for name in NAMES:
            made = outcome(name, Path(folder).resolve() / name)
            (WIKIS / name / "expected.toml").write_text(made.toml, encoding="utf-8")
            (WIKIS / name / "report.txt").write_text(made.report, encoding="utf-8")


if __name__ == "__main__":
    write()
