"""One run: a dump is imported, updated from a later dump, and the wiki is then written to.

Everything random is drawn from one seed: the size of the wiki, who does what, which thread runs
next, what the clock shows, where the disk fails, and where a process is killed.
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
from wikiapi.errors import StoreError
from wikiapi.factory import open_site
from wikiapi.http.app import make_app
from wikiapi.importing import convert, importer
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
"""Attempts of a command, the last one of which runs without faults."""
SERVERS = 6
"""Processes that serve the wiki in turn; most start with the state that a killed one has left."""
_WRITES = 4
"""The largest number of writes of a writer to one process."""
_BATCHES = {importer: ("BYTES_PER_TRANSACTION", 1_500), convert: ("_PENDING_REVISIONS", 6)}
"""The largest sizes of batches of an import: small, so that a small wiki has many batches."""
_CLOCK_JUMPS = (0, 0, 0, 0, -86_400, -5, 86_400)
"""Seconds by which the clock of a server is wrong."""
_RIGHT = (0,)
_FOLLOWED = 0.6
"""The share of wikis that are replicated. Their clocks are right, as updates rely on them."""
_NAMING = 0.5
"""The share of these whose recent changes have the ids of deleted pages."""
_UPDATES = (0, 1, 1, 2)
"""The number of updates with faults after each server."""
_WRITES_MEANWHILE = 4
"""The largest number of writes during an update."""


Texts = dict[str, set[str]]
"""All texts of each page, by its title."""


class Broken(Exception):
    """An invariant is violated."""


def prepare() -> None:
    """Import and compile once all that the forked processes use."""
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
    # The garbage collector would write to, and so copy, all memory in each process.
    gc.freeze()


class Simulation:
    """The run of a seed."""

    def __init__(self, seed: int, folder: Path, servers: int = SERVERS) -> None:
        """Use an empty folder."""
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
        """Carry out the run.

        Raises:
            Broken: an invariant is violated.
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

    # Steps of the run

    def _bring_in(self, texts: Texts, *command: str) -> None:
        """Run a command until it succeeds, and compare the store with one made without faults.

        If ``texts`` is not empty, pages are read at the same time; each has one of its texts.
        """
        self._command(self._peaceful, *command)
        for attempt in range(_PATIENCE):
            calm = attempt == _PATIENCE - 1
            ended = self._run_forked(partial(_run, command, texts, calm))
            if ended.status == 0:
                break
            if ended.status not in (1, KILLED) or calm:
                raise Broken(f"{command} ended with {ended.status}:\n{ended.said}")
        try:
            problems = list(differences(self._peaceful / STORE, self._folder / STORE))
        except sqlite3.DatabaseError as error:
            problems = [str(error)]
        if problems:
            raise Broken(f"{command} made something else:\n" + "\n".join(problems))
        self._check()

    def _follow(self, *options: str, calm: bool = False) -> None:
        """Update the second store from the wiki."""
        command = ("update", *options, following.ADDRESS)
        wiki = _Followed(self._folder, self._number, self._names_deleted)
        work = partial(_follow, command, wiki, calm)
        ended = self._run_forked(work, self._peaceful)
        if ended.status not in ((0,) if calm else (0, 1, KILLED)):
            raise Broken(f"{command} ended with {ended.status}:\n{ended.said}")

    def _compare(self) -> None:
        """Check that the second store equals that of the wiki.

        Links that a fault kept the wiki from deriving are derived before, and articles counted.
        """
        self._command(self._folder, "links")
        self._command(self._peaceful, "check", "--links")
        stores = self._folder / STORE, self._peaceful / STORE
        if problems := list(following.differences(*stores)):
            raise Broken("\n".join(problems))

    def _serve(self, jumps: Sequence[int]) -> None:
        """Let clients write to the wiki concurrently."""
        count = self._draw.randint(1, len(NAMES))
        ended = self._run_forked(partial(_serve, self._number, count, jumps))
        if ended.status not in (0, KILLED):
            raise Broken(f"the server ended with {ended.status}:\n{ended.said}")

    def _check(self) -> None:
        """Check the invariants."""
        self._command(self._folder, "check", "--links")
        trace = self.trace_file.read_text(encoding="utf-8").splitlines()
        if problems := list(broken(self._folder / STORE, self._folder / FILES, trace)):
            raise Broken("\n".join(problems))

    # Processes

    def _run_forked(self, work: Callable[[Seams], int], folder: Path | None = None) -> Ended:
        """Run a function in a process with faults, by default in the folder of the wiki."""
        self._number += 1
        draw = Random(f"{self._seed}/{self._number}")

        def child() -> int:
            with self.trace_file.open("ab", buffering=0) as file:
                seams = Seams(draw, self._disk, self._limbo, lambda line: _write_line(file, line))
                seams.install()
                return work(seams)

        ended = self._forked(folder or self._folder, child)
        with self.trace_file.open("a", encoding="utf-8") as file:
            file.write(f"{PROCESS}{self._number} ended with {ended.status}\n")
        return ended

    def _forked(self, folder: Path, work: Callable[[], int]) -> Ended:
        """Run a function in a process that does the same in every run of a seed."""
        self._forks += 1
        name, clock = f"{self._seed}/{self._forks}", Clock(NOW + timedelta(days=self._number))

        def repeatable() -> int:
            make_repeatable(name, clock)
            return work()

        return forked(folder, repeatable)

    def _command(self, folder: Path, *command: str) -> None:
        """Run a command without faults, which must succeed."""
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
    """Run a command, with faults unless ``calm`` is true, and exit with its status."""
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
    """Yield a function that reads pages, each of which must have one of these texts."""
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
    """A replicated wiki: its folder, and the number of the current process."""

    folder: Path
    process: int
    names_deleted: bool


def _follow(command: tuple[str, ...], wiki: _Followed, calm: bool, seams: Seams) -> NoReturn:
    """Update the store in this folder; the wiki is written to meanwhile unless ``calm`` is true."""
    draw, clock = seams.draw, Clock(NOW + timedelta(days=wiki.process))
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
            writer = Writer(client, draw, seams.note, NAMES[0], wiki.process, drawn_plan(draw))

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


def _serve(process: int, count: int, jumps: Sequence[int], seams: Seams) -> int:
    """Serve the wiki to ``count`` writers and a reader."""
    draw = seams.draw
    clock = Clock(NOW + timedelta(days=process, seconds=draw.choice(jumps)))
    site = open_site(load_config(Path(CONFIG)), clock=clock)
    with closing(site.db):
        app = make_app(site)
        plan = drawn_plan(draw)
        writers = [
            Writer(ApiClient(app, raises=False), draw, seams.note, name, process, plan)
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
