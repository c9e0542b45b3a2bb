"""Runs wikiapi's commands in processes that end by SIGKILL just before one of their commits.

``python -m tests.faults.killing`` takes jobs as lines of JSON and forks for each of them, so that
a command costs no start-up. Batches are small there, so that a small wiki has many commits.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from tests.processes import environment

KILLED = -signal.SIGKILL
SMALL = {
    "wikiapi.importing.importer.BYTES_PER_TRANSACTION": 2_000,
    "wikiapi.importing.sink._PENDING_REVISIONS": 20,
    "wikiapi.importing.deletion.BATCH": 3,
    "wikiapi.pages.links.update.PAGES_PER_BATCH": 5,
    "wikiapi.importing.live.remote.PER_REQUEST": 5,
    "wikiapi.importing.tables.loader.ROWS_PER_BATCH": 4,
    "wikiapi.importing.tables.loader._BATCHES_PER_TRANSACTION": 3,
    "wikiapi.store.copying.BATCH": 40,
}


@dataclass(frozen=True)
class Job:
    """A command to run in a folder; ``fatal`` is the number of the commit that is not made.

    ``limit`` bounds the size of each file that is written, in bytes; 0 is no limit.
    """

    folder: str
    command: tuple[str, ...]
    fatal: int = 0
    limit: int = 0


@dataclass(frozen=True)
class Done:
    """What became of it: exit status, negative for a signal; commits made; all it said."""

    status: int
    commits: int
    output: str


class Runner:
    """The process that forks, seen from the tests."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        """Communicate over its standard streams."""
        self._process = process

    def run(self, folder: Path, *command: str, fatal: int = 0, limit: int = 0) -> Done:
        """Run a command of wikiapi; with ``fatal`` it is killed before that commit, from 1 on."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin
        assert stdout
        stdin.write(json.dumps(asdict(Job(str(folder), command, fatal, limit))) + "\n")
        stdin.flush()
        return Done(**json.loads(stdout.readline()))

    def finish(self, folder: Path, *command: str) -> Done:
        """Run a command that must succeed."""
        done = self.run(folder, *command)
        assert done.status == 0, done.output
        return done


@contextmanager
def runner() -> Iterator[Runner]:
    """Yield a process that forks, inside the block."""
    with subprocess.Popen(
        [sys.executable, "-m", __name__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=environment(),
    ) as process:
        yield Runner(process)
        assert process.stdin
        process.stdin.close()


# In the process that forks


class Commits:
    """Counts the commits of a process, and ends it at one of them."""

    def __init__(self, fatal: int, database: Any) -> None:
        """Watch every database of the process; ``fatal`` is 0 to end it at none."""
        self.count = 0
        self._fatal = fatal
        say, run = database._control_transaction, database._run

        def counted_say(db: Any, sql: str, *args: Any, **options: Any) -> Any:
            if sql == "COMMIT":
                self._next()
            return say(db, sql, *args, **options)

        def counted_run(db: Any, work: Any, sql: str, *args: Any, **options: Any) -> Any:
            if db._thread.session is None and _writes(sql):
                self._next()
            return run(db, work, sql, *args, **options)

        database._control_transaction, database._run = counted_say, counted_run

    def _next(self) -> None:
        self.count += 1
        if self.count == self._fatal:
            os.kill(os.getpid(), signal.SIGKILL)


def _writes(sql: str) -> bool:
    """Return whether a statement outside a transaction is one of its own."""
    return sql.split(maxsplit=1)[0] not in ("SELECT", "PRAGMA")


def prepare_commands() -> None:
    """Import all of wikiapi's commands, and make their batches small."""
    from wikiapi.cli import main

    for name, value in SMALL.items():
        module, _, constant = name.rpartition(".")
        assert hasattr(import_module(module), constant), name
        setattr(import_module(module), constant, value)
    context = click.Context(main)
    for command in main.list_commands(context):
        main.get_command(context, command)


def _main() -> None:
    prepare_commands()
    for line in sys.stdin:
        print(json.dumps(asdict(_forked(Job(**json.loads(line))))), flush=True)


def _forked(job: Job) -> Done:
    read, write = os.pipe()
    said = Path(tempfile.gettempdir(), f"wikiapi-said-{os.getpid()}.txt")
    child = os.fork()
    if not child:
        _child(job, said, write)
    os.close(write)
    with os.fdopen(read) as pipe:
        commits = pipe.read()
    _, status = os.waitpid(child, 0)
    output = said.read_text(encoding="utf-8")
    said.unlink()
    return Done(os.waitstatus_to_exitcode(status), int(commits or 0), output)


def _child(job: Job, said: Path, write: int) -> None:
    """Run the command and end; never returns."""
    from wikiapi.cli import main
    from wikiapi.store.database import Database

    status = 70
    with suppress(BaseException):
        os.chdir(job.folder)
        _limit(job.limit)
        sys.stdout = sys.stderr = said.open("w", encoding="utf-8")
        commits = Commits(job.fatal, Database)
        try:
            main(list(job.command), prog_name="wikiapi")
        except SystemExit as ending:
            status = int(ending.code or 0)
        sys.stdout.flush()
        os.write(write, str(commits.count).encode())
    os._exit(status)


def _limit(size: int) -> None:
    """Let writes beyond a size fail as on a full disk; Python leaves the signal alone."""
    if size:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


if __name__ == "__main__":
    _main()
