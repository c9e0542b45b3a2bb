"""The commands that are killed, each with what it begins with."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import ClassVar

from bench.killpages import newer, older, write_dump
from bench.killtables import write_tables
from wikiapi.testing import Wiki
from wikiapi.testing.declaration import Declaration

Run = Callable[..., object]
"""Runs a command of wikiapi in the folder, which must succeed."""

BASE = "base.sqlite"
_BEFORE_ALL = "2020-01-01"
# Only wikis of some thousand pages are worth more than one.
_JOBS = ("--jobs", "2")


class Case(ABC):
    """A command, and what is there before it runs. Close it at the end."""

    name: ClassVar[str]
    from_base = True
    """Whether the command works on a copy of the store that was prepared."""
    keeps_pages = True
    """Whether a page is never there without its text, wherever the command is stopped."""
    repeats = True
    """Whether it can be given again once all is done; otherwise it refuses that."""

    def __init__(self, folder: Path, pages: int) -> None:
        """Work in a folder, with a wiki of about so many pages."""
        self.folder, self.pages = folder, pages
        self.closing = ExitStack()

    @abstractmethod
    def prepare(self, run: Run) -> None:
        """Make the files that the command needs, and the store ``BASE``."""

    @abstractmethod
    def command(self, store: str) -> tuple[str, ...]:
        """Return the command, for a store in the folder."""

    def import_older(self, run: Run, *options: str) -> None:
        """Make the store hold the older state of the wiki."""
        write_dump(self.folder / "older.xml", older(self.pages))
        run("import", *_JOBS, *options, *_on(BASE), "older.xml")


class Import(Case):
    """A dump into a new store."""

    name = "import"
    from_base = False

    def prepare(self, run: Run) -> None:
        write_dump(self.folder / "older.xml", older(self.pages))

    def command(self, store: str) -> tuple[str, ...]:
        return ("import", *_JOBS, *_on(store), "older.xml")


class Links(Case):
    """All links of a store that has none."""

    name = "links"

    def prepare(self, run: Run) -> None:
        self.import_older(run, "--no-links")

    def command(self, store: str) -> tuple[str, ...]:
        return ("links", *_JOBS, *_on(store))


class AllLinks(Case):
    """All links of a store that has them, and what was imported since."""

    name = "links --all"

    def prepare(self, run: Run) -> None:
        self.import_older(run)
        write_dump(self.folder / "newer.xml", newer(self.pages))
        run("import", "--no-links", *_on(BASE), "newer.xml")

    def command(self, store: str) -> tuple[str, ...]:
        return ("links", "--all", *_JOBS, *_on(store))


class Prune(Case):
    """A newer dump into an older store."""

    name = "import --prune"

    def prepare(self, run: Run) -> None:
        self.import_older(run)
        write_dump(self.folder / "newer.xml", newer(self.pages))

    def command(self, store: str) -> tuple[str, ...]:
        return ("import", "--prune", *_JOBS, *_on(store), "newer.xml")


class Update(Case):
    """What has changed in a wiki that is served on this machine; its clock stands still."""

    name = "update"

    def prepare(self, run: Run) -> None:
        pages = {made.title: made.text for made in older(self.pages)}
        self._wiki = wiki = self.closing.enter_context(Wiki(Declaration(pages=pages)))
        wiki.clock.set(datetime(2025, 1, 2, tzinfo=UTC))
        run("update", "--since", _BEFORE_ALL, *_JOBS, *_on(BASE), wiki.api_url)
        for n in range(self.pages // 2):
            wiki.clock.advance(7)
            self._change(wiki, n)

    def command(self, store: str) -> tuple[str, ...]:
        return ("update", *_JOBS, *_on(store), self._wiki.api_url)

    def _change(self, wiki: Wiki, n: int) -> None:
        if n % 11 == 4:
            wiki.delete(f"Page {n}", user="Ada", reason="gone")
        elif n % 11 == 5:
            wiki.move(f"Page {n}", f"Moved {n}", redirect=n % 2 == 0)
        elif n % 11 == 6:
            wiki.edit(f"Template:Box {n % 3}", f"[[Box at {n}]] [[Category:Late]]", user="Ada")
        else:
            wiki.edit(f"Page {n * 7 % self.pages}", f"{{{{Box 1|{n}}}}} edit [[Late {n}]]")


class Tables(Case):
    """Table dumps in place of what the store has."""

    name = "import-tables"

    def prepare(self, run: Run) -> None:
        self.import_older(run, "--no-links")
        self._files = [path.name for path in write_tables(self.folder, self.pages)]

    def command(self, store: str) -> tuple[str, ...]:
        return ("import-tables", *_on(store), *self._files)


class Copy(Case):
    """A whole store into an empty one."""

    name = "db copy"
    from_base = False
    keeps_pages = False
    repeats = False

    def prepare(self, run: Run) -> None:
        self.import_older(run)

    def command(self, store: str) -> tuple[str, ...]:
        return ("db", "copy", f"sqlite:///{BASE}", f"sqlite:///{store}")


CASES: tuple[type[Case], ...] = (Import, Links, AllLinks, Prune, Update, Tables, Copy)


def _on(store: str) -> tuple[str, str]:
    return "--database", f"sqlite:///{store}"
