"""A wiki's life: a dump is imported, brought up to date by a later one, and then written to.

All that is by chance is drawn from one number: how large the wiki is, who does what, which thread
runs when, what the clock shows, where the disk fails, and where a process is killed.
"""

from __future__ import annotations

import gc
import io
import sqlite3
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import chdir, closing, contextmanager, redirect_stderr, redirect_stdout, suppress
from datetime import timedelta
from functools import partial
from io import RawIOBase
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple, NoReturn

from bench.killpages import newer, older, write_dump
from bench.storediff import differences
from tests.faults.killing import prepare_commands
from tests.simulation import following
from tests.simulation.invariants import PROCESS, broken
from tests.simulation.processes import KILLED, Ended, forked
from tests.simulation.repeatable import make_repeatable
from tests.simulation.seams import Seams, unlock_properties
from tests.simulation.writers import KINDS, NAMES, PAGES, PASSWORD, Plan, Writer, drawn_plan, read
from wikiapi.cli import main as wikiapi
from wikiapi.config import load_config
from wikiapi.dump import convert, importer
from wikiapi.errors import StoreError
from wikiapi.factory import open_site
from wikiapi.http.app import make_app
from wikiapi.store.queries.texts import current
from wikiapi.testing.client import ApiClient
from wikiapi.testing.clock import NOW, Clock

STORE, CONFIG, FILES, TRACE = "wiki.sqlite", "wikiapi.toml", "files", "trace.txt"
SETTINGS = f"""
[site]
name = "Simulated"
wiki_id = "kills"
writable = true
[database]
url = "sqlite:///{STORE}"
query_deadline = 86400.0
[files]
folder = "{FILES}"
[http]
secret_key = "of the simulation"
debug_info = "off"
request_deadline = 0.0
[plugins]
disabled = ["scribunto"]
"""
_PATIENCE = 8
"""After how many attempts a command is left in peace."""
SERVERS = 6
"""How many processes serve the wiki one after the other: most find what a killed one has left."""
_WRITES = 4
"""How many writes each writer asks a process for, at most."""
_BATCHES = {importer: ("BYTES_PER_TRANSACTION", 1_500), convert: ("_PENDING_REVISIONS", 6)}
"""How large the batches of an import are at most: a small wiki is to have many of them."""
_CLOCK_JUMPS = (0, 0, 0, 0, -86_400, -5, 86_400)
"""Seconds by which the clock is wrong while a server runs."""
_RIGHT = (0,)
_FOLLOWED = 0.6
"""How many wikis are followed. Their clocks are right: updates rely on the times of changes."""
_NAMING = 0.5
"""How many of them tell the ids of the pages that recent changes delete."""
_UPDATES = (0, 1, 1, 2)
"""How many updates there are after each server, all of them hindered."""
_WRITES_MEANWHILE = 4
"""How many writes there are while an update runs, at most."""


Texts = dict[str, set[str]]
"""The texts that each page has, sooner or later."""


class Broken(Exception):
    """Something that must always hold does not."""


def prepare() -> None:
    """Do once what processes do, so that those that are forked find it imported and compiled."""
    prepare_commands()
    with TemporaryDirectory() as name, chdir(name), _silence():
        Path(CONFIG).write_text(SETTINGS, encoding="utf-8")
        write_dump(Path("older.xml"), older(1))
        for command in (("import", "--prune", "older.xml"), ("check", "--links")):
            wikiapi(list(command), standalone_mode=False)
        _add_accounts()
        site = open_site(load_config(Path(CONFIG)), clock=Clock())
        with closing(site.db):
            client = ApiClient(make_app(site), raises=False)
            plan = Plan(list(KINDS), list(PAGES[:1]))
            writer = Writer(client, Random(0), lambda _: None, NAMES[0], 0, plan)
            for _ in range(4 * len(KINDS)):
                writer.write()
            read(client, Random(0), lambda _: None)
    unlock_properties()
    # The collector would touch, and so copy, all memory in each process.
    gc.freeze()


class Simulation:
    """One life, told by a number."""

    def __init__(self, seed: int, folder: Path, servers: int = SERVERS) -> None:
        """Live in an empty folder."""
        self._seed, self._servers = seed, servers
        self._draw = Random(seed)
        self._number = self._forks = 0
        self._names_deleted = True
        self._disk, self._limbo = folder / "disk", folder / "limbo"
        self._folder, self._peaceful = self._disk / "wiki", self._disk / "peaceful"
        for place in (self._folder, self._peaceful):
            place.mkdir(parents=True)
            (place / CONFIG).write_text(SETTINGS, encoding="utf-8")
        self.trace_file = folder / TRACE
        self.trace_file.touch()

    def run(self) -> None:
        """Live it.

        Raises:
            Broken: something is wrong.
        """
        pages = self._draw.randint(3, 12)
        for place in (self._folder, self._peaceful):
            write_dump(place / "older.xml", older(pages))
            write_dump(place / "newer.xml", newer(pages))
        texts: Texts = {}
        for made in (*older(pages), *newer(pages)):
            texts.setdefault(made.title, set()).add(made.text)
        self._bring_in({}, "import", "older.xml")
        self._bring_in(texts, "import", "--prune", "newer.xml")
        ended = self._forked(self._folder, _add_accounts)
        if ended.status:
            raise Broken(f"no accounts could be added:\n{ended.said}")
        is_followed = self._draw.random() < _FOLLOWED
        self._names_deleted = self._draw.random() < _NAMING
        if is_followed:
            self._follow("--since", f"{NOW - timedelta(days=1):%Y-%m-%d}", calm=True)
        for number in range(1, self._servers + 1):
            self._serve(_RIGHT if is_followed else _CLOCK_JUMPS)
            if is_followed:
                for _ in range(self._draw.choice(_UPDATES)):
                    self._follow()
                if number in (self._servers // 2, self._servers):
                    self._follow(calm=True)
                    self._compare()
            self._check()

    # What happens

    def _bring_in(self, texts: Texts, *command: str) -> None:
        """Run a command until it has succeeded; it must make what it makes undisturbed.

        Meanwhile pages may be read, if there are any; they have one of these ``texts``.
        """
        self._command(self._peaceful, *command)
        for attempt in range(_PATIENCE):
            calm = attempt == _PATIENCE - 1
            ended = self._live(partial(_run, command, texts, calm))
            if ended.status == 0:
                break
            if ended.status not in (1, KILLED) or calm:
                raise Broken(f"{command} ended with {ended.status}:\n{ended.said}")
        try:
            found = list(differences(self._peaceful / STORE, self._folder / STORE))
        except sqlite3.DatabaseError as error:
            found = [str(error)]
        if found:
            raise Broken(f"{command} made something else:\n" + "\n".join(found))
        self._check()

    def _follow(self, *options: str, calm: bool = False) -> None:
        """Update the store that has been left in peace so far from the wiki."""
        command = ("update", *options, following.ADDRESS)
        wiki = _Followed(self._folder, self._number, self._names_deleted)
        work = partial(_follow, command, wiki, calm)
        ended = self._live(work, self._peaceful)
        if ended.status not in ((0,) if calm else (0, 1, KILLED)):
            raise Broken(f"{command} ended with {ended.status}:\n{ended.said}")

    def _compare(self) -> None:
        """Check that the store that follows the wiki has what the wiki has."""
        self._command(self._peaceful, "check", "--links")
        stores = self._folder / STORE, self._peaceful / STORE
        if found := list(following.differences(*stores)):
            raise Broken("\n".join(found))

    def _serve(self, jumps: Sequence[int]) -> None:
        """Let clients write to the wiki at once."""
        count = self._draw.randint(1, len(NAMES))
        ended = self._live(partial(_serve, self._number, count, jumps))
        if ended.status not in (0, KILLED):
            raise Broken(f"the server ended with {ended.status}:\n{ended.said}")

    def _check(self) -> None:
        """Check all that must hold."""
        self._command(self._folder, "check", "--links")
        trace = self.trace_file.read_text(encoding="utf-8").splitlines()
        if found := list(broken(self._folder / STORE, self._folder / FILES, trace)):
            raise Broken("\n".join(found))

    # Processes

    def _live(self, work: Callable[[Seams], int], folder: Path | None = None) -> Ended:
        """Run something in a process that may be hindered and killed, by default in the wiki's."""
        self._number += 1
        draw = Random(f"{self._seed}/{self._number}")

        def live() -> int:
            with self.trace_file.open("ab", buffering=0) as file:
                seams = Seams(draw, self._disk, self._limbo, lambda line: _write_line(file, line))
                seams.install()
                return work(seams)

        ended = self._forked(folder or self._folder, live)
        with self.trace_file.open("a", encoding="utf-8") as file:
            file.write(f"{PROCESS}{self._number} ended with {ended.status}\n")
        return ended

    def _forked(self, folder: Path, work: Callable[[], int]) -> Ended:
        """Run something in a process in which nothing differs from run to run."""
        self._forks += 1
        name, clock = f"{self._seed}/{self._forks}", Clock(NOW + timedelta(days=self._number))

        def repeatable() -> int:
            make_repeatable(name, clock)
            return work()

        return forked(folder, repeatable)

    def _command(self, folder: Path, *command: str) -> None:
        """Run a command that is left in peace, and must succeed."""
        ended = self._forked(folder, partial(_command, command))
        if ended.status:
            raise Broken(f"{command} ended with {ended.status}:\n{ended.said}")


# Within the processes


@contextmanager
def _silence() -> Iterator[None]:
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        yield


def _command(command: tuple[str, ...]) -> NoReturn:
    wikiapi(list(command), prog_name="wikiapi")
    raise AssertionError("a command has returned")


def _add_accounts() -> int:
    for name in NAMES:
        sys.stdin = io.StringIO(f"{PASSWORD}\n")
        wikiapi(["user", "add", name, "--group", "sysop"], standalone_mode=False)
    return 0


def _run(command: tuple[str, ...], texts: Texts, calm: bool, seams: Seams) -> NoReturn:
    """Run a command that may be hindered, unless all is to be calm; ends as it does."""
    for module, (name, most) in _BATCHES.items():
        setattr(module, name, seams.draw.randint(1, most))
    with _reading(texts, seams) as read_along:
        if not calm:
            seams.begin()
        try:
            seams.turns.run({"command": partial(_command, command), "reader": read_along})
        finally:
            seams.end()
    raise AssertionError("a command has returned")


@contextmanager
def _reading(texts: Texts, seams: Seams) -> Iterator[Callable[[], None]]:
    """Yield what reads pages of the store, which have one of these texts each."""
    if not texts:
        yield lambda: None
        return
    site = open_site(load_config(Path(CONFIG)))
    with closing(site.db):

        def read_along() -> None:
            for _ in range(seams.draw.randint(0, 20)):
                title = seams.draw.choice(list(texts))
                key = site.titles.parse(title).key
                # The disk may be too full to sort.
                with suppress(StoreError):
                    page = current(site.db, [key]).get(key)
                    if page and page.text not in texts[title]:
                        seams.note(f"wrong: {title} has {page.text!r}")

        yield read_along


class _Followed(NamedTuple):
    """A wiki that is followed, in a folder, after so many processes."""

    folder: Path
    life: int
    names_deleted: bool


def _follow(command: tuple[str, ...], wiki: _Followed, calm: bool, seams: Seams) -> NoReturn:
    """Update the store in this folder from a wiki that is written to, unless all is to be calm."""
    draw, clock = seams.draw, Clock(NOW + timedelta(days=wiki.life))
    site = open_site(following.beside(load_config(Path(CONFIG)), wiki.folder), clock=clock)
    with closing(site.db):
        app = make_app(site)
        writing: list[str] = []
        network = following.Network(
            ApiClient(app, raises=False),
            clock,
            seams,
            is_at_rest=lambda: not writing,
            names_deleted=wiki.names_deleted,
        )
        network.install()
        works: dict[str, Callable[[], None]] = {"command": partial(_command, command)}
        if not calm:
            client = ApiClient(app, raises=False)
            writer = Writer(client, draw, seams.note, NAMES[0], wiki.life, drawn_plan(draw))

            def write() -> None:
                for _ in range(draw.randint(0, _WRITES_MEANWHILE)):
                    writing.append(writer.name)
                    writer.write()
                    writing.clear()
                    clock.advance(draw.choice((0, 1, 10)))

            works[writer.name] = write
            seams.begin()
            network.begin()
        try:
            seams.turns.run(works)
        finally:
            seams.end()
    raise AssertionError("a command has returned")


def _serve(life: int, count: int, jumps: Sequence[int], seams: Seams) -> int:
    """Serve the wiki to some writers and a reader."""
    draw = seams.draw
    clock = Clock(NOW + timedelta(days=life, seconds=draw.choice(jumps)))
    site = open_site(load_config(Path(CONFIG)), clock=clock)
    with closing(site.db):
        app = make_app(site)
        plan = drawn_plan(draw)
        writers = [
            Writer(ApiClient(app, raises=False), draw, seams.note, name, life, plan)
            for name in NAMES[:count]
        ]
        reader = ApiClient(app, raises=False)

        def act(do: Callable[[], None]) -> None:
            for _ in range(draw.randint(1, _WRITES)):
                clock.advance(draw.choice((0, 1, 30)))
                do()

        works = {writer.name: partial(act, writer.write) for writer in writers}
        works["reader"] = partial(act, partial(read, reader, draw, seams.note))
        seams.begin()
        seams.turns.run(works)
        seams.end()
    return 0


def _write_line(file: RawIOBase, line: str) -> None:
    file.write(f"{line}\n".encode())
