"""Both servers as child processes, on free loopback ports, with files in a temporary folder."""

from __future__ import annotations

import getpass
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from bench.peer.cpu import cpu_of
from bench.peer.maintenance import INSTALLED, SETTINGS
from bench.peer.store import Store
from bench.servers import free_port

HERE = Path(__file__).parent
CACHING_SETTINGS = HERE / "settings-caching.php"
WRITING_SETTINGS = HERE / "settings-writing.php"
TIMEOUT = 30


class Wiki(Protocol):
    """A MediaWiki installation, given by the folder of its state."""

    @property
    def folder(self) -> Path:
        """The folder."""

    @property
    def name(self) -> str:
        """Its name."""


@dataclass(frozen=True)
class Server:
    """A running server: its port, and the numbers of the processes that were started for it."""

    port: int
    processes: tuple[int, ...] = ()

    def cpu(self) -> float:
        """Return the CPU seconds that it has used since it was started."""
        return sum(map(cpu_of, self.processes))


@contextmanager
def mediawiki_server(wiki: Wiki, settings: Path = SETTINGS) -> Iterator[Server]:
    """Run MediaWiki behind nginx and PHP-FPM, by default without a parser cache."""
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="peer-") as folder, ExitStack() as stack:
        run = Path(folder)
        values = _values(wiki, run, port) | {"settings": str(settings)}
        for name in ("php-fpm.conf", "nginx.conf"):
            (run / name).write_text(fill_in((HERE / name).read_text(), values))
        php = stack.enter_context(_process(_php_fpm(run), run / "php-fpm.out", _with_php_ini()))
        _wait_for(run / "php-fpm.sock")
        nginx = stack.enter_context(_process(_nginx(run), run / "nginx.out"))
        _wait_until_open(port)
        yield Server(port, (php, nginx))


@contextmanager
def wikiapi_server(store: Store, config: Path | None = None) -> Iterator[Server]:
    """Run ``wikiapi serve``, with the store's configuration or another one."""
    port = free_port()
    options = store.options_with(config or store.config)
    command = [sys.executable, "-m", "wikiapi", "serve", *options]
    command += ["--listen", f"127.0.0.1:{port}", "--workers", "1"]
    with _process(command, store.folder / "serve.log") as process:
        _wait_until_open(port)
        yield Server(port, (process,))


def fill_in(text: str, values: Mapping[str, str]) -> str:
    """Return a configuration with each ``@name@`` replaced by its value."""
    return re.sub(r"@([a-z_]+)@", lambda match: values[match[1]], text)


def _values(wiki: Wiki, run: Path, port: int) -> dict[str, str]:
    user = getpass.getuser()
    return {
        "run": str(run),
        "port": str(port),
        "user": user,
        # nginx warns about this line if it is not started by root.
        "user_line": f"user {user};" if os.geteuid() == 0 else "",
        "state": str(wiki.folder),
        "name": json.dumps(wiki.name)[1:-1],
        "mediawiki": str(INSTALLED),
    }


def _php_fpm(run: Path) -> list[str]:
    program = max(Path("/usr/sbin").glob("php-fpm[0-9]*"), key=lambda path: path.name)
    # Root needs an option to run it.
    as_root = ["--allow-to-run-as-root"] if os.geteuid() == 0 else []
    return [str(program), "--nodaemonize", *as_root, "--fpm-config", str(run / "php-fpm.conf")]


def _with_php_ini() -> dict[str, str]:
    # The empty part stands for Debian's own folder of settings.
    return {"PHP_INI_SCAN_DIR": f":{HERE}"}


def _nginx(run: Path) -> list[str]:
    program = shutil.which("nginx") or "/usr/sbin/nginx"
    return [program, "-p", str(run), "-e", str(run / "nginx.log"), "-c", str(run / "nginx.conf")]


@contextmanager
def _process(
    command: Sequence[str], log: Path, environment: Mapping[str, str] | None = None
) -> Iterator[int]:
    with log.open("w") as sink:
        process = subprocess.Popen(
            command, stdout=sink, stderr=sink, env={**os.environ, **(environment or {})}
        )
        try:
            yield process.pid
        except TimeoutError as error:
            raise RuntimeError(f"{command[0]}: {error}\n{log.read_text()[-2000:]}") from error
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait()


def _wait_for(path: Path) -> None:
    end = time.monotonic() + TIMEOUT
    while not path.exists():
        if time.monotonic() > end:
            raise TimeoutError(f"{path.name} did not appear")
        time.sleep(0.05)


def _wait_until_open(port: int) -> None:
    end = time.monotonic() + TIMEOUT
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except OSError as error:
            if time.monotonic() > end:
                raise TimeoutError("the server does not answer") from error
            time.sleep(0.05)
        else:
            return
