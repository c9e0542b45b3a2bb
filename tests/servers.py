"""Database servers for the tests: started in folders of their own, as a user without rights.

They are there when MariaDB's or PostgreSQL's programs are (Debian's packages mariadb-server and
postgresql). With ``WIKIAPI_REQUIRE_SERVERS`` in the environment their absence is a failure.
"""

from __future__ import annotations

import ctypes
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import Any, ClassVar, TypeVar
from urllib.parse import quote

import pytest

from tests.ports import free_port

T = TypeVar("T")

REQUIRED = "WIKIAPI_REQUIRE_SERVERS"
_PATIENCE = 60
_PR_SET_PDEATHSIG = 1


class NoServerError(Exception):
    """The programs of a server are not there."""


class Server(ABC):
    """A server that listens on a socket in its own folder."""

    kind: ClassVar[str]
    program: ClassVar[str]
    users: ClassVar[tuple[str, ...]]
    ending: ClassVar[signal.Signals] = signal.SIGTERM
    breaking: ClassVar[signal.Signals] = signal.SIGKILL
    """Ends the server at once, with no statement finished and no lock let go."""

    def __init__(self, folder: Path, programs: Path, user: str | None) -> None:
        self.folder, self.programs, self.user = folder, programs, user
        self._process: subprocess.Popen[bytes] | None = None

    @classmethod
    @abstractmethod
    def places(cls) -> Iterator[Path]:
        """Yield folders in which the programs may be."""

    @abstractmethod
    def install(self) -> None:
        """Make the data folder."""

    @abstractmethod
    def command(self) -> Sequence[str]:
        """Return the command to start the server."""

    @abstractmethod
    def url(self, name: str) -> str:
        """Return the URL of a database."""

    @abstractmethod
    def statement(self, sql: str) -> None:
        """Run a statement as the administrator."""

    def create(self, name: str) -> str:
        """Make an empty database; its URL."""
        self.statement(f"CREATE DATABASE {name}")
        return self.url(name)

    def start(self) -> None:
        """Start the server and wait until it answers."""
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                self.command(), stdout=log, stderr=log, preexec_fn=_end_with_parent, **self._as()
            )
        self._await()

    def stop(self, *, at_once: bool = False) -> None:
        """Stop the server, whoever is connected."""
        if self._process is not None:
            self._process.send_signal(self.breaking if at_once else self.ending)
            try:
                self._process.wait(_PATIENCE)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._process = None

    def run(self, *command: str, **options: Any) -> None:
        """Run one of the programs as the server's user."""
        done = subprocess.run(command, capture_output=True, check=False, **self._as(), **options)
        if done.returncode:
            raise RuntimeError(f"{command[0]}: {done.stderr.decode()}{done.stdout.decode()}")

    def _as(self) -> dict[str, Any]:
        # A session of its own: what interrupts the tests must not interrupt the server first.
        common: dict[str, Any] = {"cwd": self.folder, "start_new_session": True}
        return {**common, "user": self.user, "extra_groups": []} if self.user else common

    def _await(self) -> None:
        limit = time.monotonic() + _PATIENCE
        while True:
            try:
                return self.statement("SELECT 1")
            except RuntimeError:
                ended = self._process is None or self._process.poll() is not None
                if ended or time.monotonic() > limit:
                    raise RuntimeError((self.folder / "log").read_text()) from None
            time.sleep(0.05)


class MariaDb(Server):
    """MariaDB: without the network, and without waiting for the disk."""

    kind, program, users = "mariadb", "mariadbd", ("mysql", "nobody")

    @classmethod
    def places(cls) -> Iterator[Path]:
        yield from (Path("/usr/sbin"), Path("/usr/local/bin"), Path("/opt/homebrew/bin"))

    @property
    def socket(self) -> Path:
        return self.folder / "s"

    def install(self) -> None:
        installer = shutil.which("mariadb-install-db")
        assert installer is not None
        options = ("--no-defaults", f"--datadir={self.folder}/data", "--skip-test-db")
        self.run(installer, *options, "--auth-root-authentication-method=normal")

    def command(self) -> Sequence[str]:
        return [
            str(self.programs / self.program),
            "--no-defaults",
            f"--datadir={self.folder}/data",
            f"--socket={self.socket}",
            f"--pid-file={self.folder}/pid",
            f"--tmpdir={self.folder}",
            "--skip-networking",
            "--innodb-flush-log-at-trx-commit=0",
            "--innodb-doublewrite=0",
            "--innodb-flush-method=nosync",
            "--innodb-fast-shutdown=2",
            "--innodb-buffer-pool-size=128M",
            "--innodb-log-file-size=32M",
            "--innodb-ft-min-token-size=1",
            "--innodb-ft-enable-stopword=0",
            "--skip-log-bin",
            "--skip-name-resolve",
        ]

    def url(self, name: str) -> str:
        return f"mysql://root@localhost/{name}?socket={quote(str(self.socket))}"

    def statement(self, sql: str) -> None:
        client = shutil.which("mariadb")
        assert client is not None
        self.run(client, "--no-defaults", f"--socket={self.socket}", "-uroot", "-e", sql)


class PostgreSql(Server):
    """PostgreSQL: without the network, and without waiting for the disk."""

    kind, program, users = "postgresql", "postgres", ("postgres", "nobody")
    ending = signal.SIGINT
    breaking = signal.SIGQUIT

    @classmethod
    def places(cls) -> Iterator[Path]:
        yield from sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)

    def install(self) -> None:
        options = ("--auth=trust", "--username=wiki", "--encoding=UTF8", "--no-sync")
        # Not C: what sorts by bytes must say so itself.
        locale = "--locale=C.UTF-8"
        self.run(str(self.programs / "initdb"), *options, locale, f"{self.folder}/data")

    def command(self) -> Sequence[str]:
        settings = {
            "listen_addresses": "",
            "unix_socket_directories": str(self.folder),
            "fsync": "off",
            "synchronous_commit": "off",
            "full_page_writes": "off",
            "shared_buffers": "64MB",
        }
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        return [str(self.programs / self.program), "-D", f"{self.folder}/data", *options]

    def url(self, name: str) -> str:
        return f"postgresql://wiki@/{name}?host={quote(str(self.folder), safe='')}"

    def statement(self, sql: str) -> None:
        psql = str(self.programs / "psql")
        self.run(psql, "-X", "-q", "-d", self.url("postgres"), "-c", sql)


SERVERS: dict[str, type[Server]] = {server.kind: server for server in (MariaDb, PostgreSql)}
SERVER_PARAMS = [pytest.param(kind, marks=pytest.mark.slow) for kind in SERVERS]
"""Parameters of fixtures and tests that run once for each server."""


@contextmanager
def running(kind: str) -> Iterator[Server]:
    """Run a server of a kind inside the block; NoServerError if it is not installed."""
    server = SERVERS[kind]
    programs = next((p for p in server.places() if (p / server.program).exists()), None)
    if programs is None:
        raise NoServerError(f"no {server.program} on this machine: install Debian's {kind}")
    user = _user(server.users) if os.geteuid() == 0 else None
    # Short: the path of a socket has at most 107 bytes.
    with tempfile.TemporaryDirectory(prefix="wikiapi-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        if user:
            shutil.chown(folder, user)
        instance = server(folder, programs, user)
        instance.install()
        instance.start()
        try:
            yield instance
        finally:
            instance.stop()


class GaleraNode(MariaDb):
    """A node of a cluster of MariaDB servers, on ports of this machine."""

    provider = Path("/usr/lib/galera/libgalera_smm.so")

    def __init__(self, folder: Path, programs: Path, user: str | None) -> None:
        super().__init__(folder, programs, user)
        self.port, self._transfers, self._snapshots = free_port(), free_port(), free_port()
        self.others: Sequence[GaleraNode] = ()
        """The nodes of the cluster that it joins; none to begin a cluster."""

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def command(self) -> Sequence[str]:
        options = {
            "gmcast.listen_addr": f"tcp://{self.address}",
            "ist.recv_addr": f"127.0.0.1:{self._transfers}",
            "gcache.size": "32M",
            "pc.recovery": "no",
        }
        return [
            *super().command(),
            "--binlog-format=ROW",
            "--innodb-autoinc-lock-mode=2",
            "--wsrep-on=ON",
            f"--wsrep-provider={self.provider}",
            f"--wsrep-provider-options={';'.join(f'{k}={v}' for k, v in options.items())}",
            f"--wsrep-cluster-address=gcomm://{','.join(node.address for node in self.others)}",
            f"--wsrep-node-address=127.0.0.1:{self.port}",
            "--wsrep-sst-method=rsync",
            f"--wsrep-sst-receive-address=127.0.0.1:{self._snapshots}",
            "--bind-address=127.0.0.1",
        ]

    def _await(self) -> None:
        """Wait until it answers and has what the others have."""
        super()._await()
        limit = time.monotonic() + _PATIENCE
        while not self._is_ready():
            if time.monotonic() > limit:
                raise RuntimeError((self.folder / "log").read_text())
            time.sleep(0.05)

    def _is_ready(self) -> bool:
        # An error of the server's unless it is ready: it executes nothing but SHOW and SET before.
        try:
            self.statement("SELECT COUNT(*) FROM mysql.global_priv")
        except RuntimeError:
            return False
        return True


@contextmanager
def galera_cluster(number: int) -> Iterator[Sequence[GaleraNode]]:
    """Run a cluster of nodes inside the block.

    Raises:
        NoServerError: Debian's packages mariadb-server and galera-4 are not installed.
    """
    programs = next((p for p in MariaDb.places() if (p / MariaDb.program).exists()), None)
    if programs is None or not GaleraNode.provider.exists():
        raise NoServerError("no cluster on this machine: install mariadb-server and galera-4")
    user = _user(MariaDb.users) if os.geteuid() == 0 else None
    with ExitStack() as stack:
        nodes: list[GaleraNode] = []
        for _ in range(number):
            name = tempfile.TemporaryDirectory(prefix="wikiapi-", ignore_cleanup_errors=True)
            folder = Path(stack.enter_context(name))
            if user:
                shutil.chown(folder, user)
            node = GaleraNode(folder, programs, user)
            node.install()
            node.others = list(nodes)
            stack.callback(node.stop)
            node.start()
            nodes.append(node)
        for node in nodes:
            node.others = [other for other in nodes if other is not node]
        yield nodes


@contextmanager
def streaming_replica(primary: PostgreSql) -> Iterator[PostgreSql]:
    """Run a replica that follows a server of PostgreSQL inside the block."""
    with tempfile.TemporaryDirectory(prefix="wikiapi-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        if primary.user:
            shutil.chown(folder, primary.user)
        replica = PostgreSql(folder, primary.programs, primary.user)
        options = ("-U", "wiki", "-D", f"{folder}/data", "-R", "-c", "fast", "--no-sync")
        replica.run(str(primary.programs / "pg_basebackup"), "-h", str(primary.folder), *options)
        replica.start()
        try:
            yield replica
        finally:
            replica.stop()


def running_or_skipped(kind: str) -> AbstractContextManager[Server]:
    """Run the same for tests, which are skipped if it is neither installed nor required."""
    return or_skipped(running(kind))


@contextmanager
def or_skipped(running: AbstractContextManager[T]) -> Iterator[T]:
    """Run servers for tests, which are skipped if they are neither installed nor required."""
    with ExitStack() as stack:
        try:
            servers = stack.enter_context(running)
        except NoServerError as error:
            if os.environ.get(REQUIRED):
                pytest.fail(str(error))
            pytest.skip(str(error))
        yield servers


def _end_with_parent() -> None:
    """Let Linux end the server when the tests are killed; elsewhere it stays."""
    prctl = getattr(ctypes.CDLL(None), "prctl", None)
    if prctl is not None:
        prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _user(names: Sequence[str]) -> str:
    accounts = {entry.pw_name for entry in pwd.getpwall()}
    return next(name for name in names if name in accounts)
