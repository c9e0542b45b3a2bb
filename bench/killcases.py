"""The commands that are killed, each with the preparation that it needs."""

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
"""Runs a command of wikiapi in the folder of the case; raises if it fails."""

BASE = "base.sqlite"
_BEFORE_ALL = "2020-01-01"
# By default, several jobs are only used for wikis of some thousand pages.
_JOBS = ("--jobs", "2")


class Case(ABC):
    """A command and the state in which it starts; ``closing`` must be closed at the end."""

    name: ClassVar[str]
    from_base = True
    """Whether the command starts with a copy of the prepared store."""
    pages_stay_complete = True
    """Whether every page in the store has its text, wherever the command is stopped."""
    is_repeatable = True
    """Whether it can be run again after it has finished, rather than refuse."""

    def __init__(self, folder: Path, pages: int) -> None:
        """Initialise with a folder, and the approximate number of pages of the wiki."""
        self.folder, self.pages = folder, pages
        self.closing = ExitStack()

    @abstractmethod
    def prepare(self, run: Run) -> None:
        """Create the files that the command needs, and the store ``BASE``."""

    @abstractmethod
    def command(self, store: str) -> tuple[str, ...]:
        """Return the command, for a store in the folder."""

    def import_older(self, run: Run, *options: str) -> None:
        """Import the older state of the wiki into the store ``BASE``."""
        write_dump(self.folder / "older.xml", older(self.pages))
        run("import", *_JOBS, *options, *_on(BASE), "older.xml")


class Import(Case):
    """Imports a dump into a new store."""

    name = "import"
    from_base = False

    def prepare(self, run: Run) -> None:
        write_dump(self.folder / "older.xml", older(self.pages))

    def command(self, store: str) -> tuple[str, ...]:
        return ("import", *_JOBS, *_on(store), "older.xml")


class Links(Case):
    """Derives all links of a store that has none."""

    name = "links"

    def prepare(self, run: Run) -> None:
        self.import_older(run, "--no-links")

    def command(self, store: str) -> tuple[str, ...]:
        return ("links", *_JOBS, *_on(store))


class AllLinks(Case):
    """Derives all links again, also those of pages that were imported later."""

    name = "links --all"

    def prepare(self, run: Run) -> None:
        self.import_older(run)
        write_dump(self.folder / "newer.xml", newer(self.pages))
        run("import", "--no-links", *_on(BASE), "newer.xml")

    def command(self, store: str) -> tuple[str, ...]:
        return ("links", "--all", *_JOBS, *_on(store))


class Prune(Case):
    """Imports a newer dump into an older store."""

    name = "import --prune"

    def prepare(self, run: Run) -> None:
        self.import_older(run)
        write_dump(self.folder / "newer.xml", newer(self.pages))

    def command(self, store: str) -> tuple[str, ...]:
        return ("import", "--prune", *_JOBS, *_on(store), "newer.xml")


class Update(Case):
    """Reads the changes of a wiki that is served on this machine; its clock is stopped."""

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
    """Replaces tables of the store by table dumps."""

    name = "import-tables"

    def prepare(self, run: Run) -> None:
        self.import_older(run, "--no-links")
        self._files = [path.name for path in write_tables(self.folder, self.pages)]

    def command(self, store: str) -> tuple[str, ...]:
        return ("import-tables", *_on(store), *self._files)


class Copy(Case):
    """Copies a whole store into an empty one."""

    name = "db copy"
    from_base = False
    pages_stay_complete = False
    is_repeatable = False

    def prepare(self, run: Run) -> None:
        self.import_older(run)

    def command(self, store: str) -> tuple[str, ...]:
        return ("db", "copy", f"sqlite:///{BASE}", f"sqlite:///{store}")


CASES: tuple[type[Case], ...] = (Import, Links, AllLinks, Prune, Update, Tables, Copy)


def _on(store: str) -> tuple[str, str]:
    return "--database", f"sqlite:///{store}"
