"""The time until ``wikiapi serve`` listens, compared with importing its dependencies alone.

Both run in separate processes, in turns, with byte code on disk. The fastest round counts, because
other work on the machine can only slow it down. Memory is the resident memory of the server in MB
after it has answered one request.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from pathlib import Path

from bench.client import Connection
from bench.report import Figure, publish
from examples.demo_store import SETTINGS, store

ROUNDS = 11
MAX_RATIO = 3
MAX_MEMORY = 120
TIMEOUT = 30
REQUEST = "/w/api.php?action=query&meta=siteinfo&format=json"
# The import names of the packages in setup.cfg's install_requires.
DEPENDENCIES = (
    "babel", "brotli", "cachetools", "click", "jinja2", "lark", "markupsafe", "peewee", "PIL",
    "pluggy", "pygments", "selectolax", "tinycss2", "waitress", "werkzeug", "zstandard",
)  # fmt: skip


def run() -> bool:
    """Measure; return whether the targets are met."""
    with tempfile.TemporaryDirectory() as state:
        url = f"sqlite:///{store(Path(state)).absolute()}"
        imports, starts, memory = measure(url)
    bare, start = min(imports), min(starts)
    return publish(
        "startup",
        [
            Figure("importing the dependencies", bare * 1000, "ms", 1.0),
            Figure("wikiapi serve, until it listens", start * 1000, "ms", start / bare, MAX_RATIO),
            Figure("memory of the idle server", memory, "MB", None, MAX_MEMORY, target_of="value"),
        ],
    )


def measure(url: str) -> tuple[list[float], list[float], float]:
    """Return the seconds of imports and of starts, in turns, and the last server's memory in MB."""
    imports, starts, memory = list[float](), list[float](), 0.0
    for number in range(ROUNDS + 1):
        imported = _measure_import()
        started, memory = _measure_start(url)
        if number:  # the first round writes byte code
            imports.append(imported)
            starts.append(started)
    return imports, starts, memory


def _measure_import() -> float:
    command = [sys.executable, "-c", f"import {', '.join(DEPENDENCIES)}"]
    start = time.perf_counter()
    subprocess.run(command, check=True, env=_environment())
    return time.perf_counter() - start


def _measure_start(url: str) -> tuple[float, float]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = int(listener.getsockname()[1])
    command = [sys.executable, "-m", "wikiapi", "serve", "--config", str(SETTINGS)]
    command += ["--database", url, "--listen", f"127.0.0.1:{port}", "--workers", "1"]
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=_environment())
    try:
        for _ in _tries():
            with suppress(OSError), socket.create_connection(("127.0.0.1", port)) as probe:
                # A socket that gets this port itself would be connected to itself.
                if probe.getsockname() != probe.getpeername():
                    break
        seconds = time.perf_counter() - start
        with closing(Connection(port, REQUEST)) as connection:
            connection.body()
        return seconds, resident(process.pid)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()


def _tries() -> Iterator[None]:
    end = time.monotonic() + TIMEOUT
    while time.monotonic() < end:
        yield
        time.sleep(0.002)
    raise TimeoutError("the server does not answer")


def resident(pid: int) -> float:
    """Return the resident memory of a process in MB (1e6 bytes)."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def _environment() -> Mapping[str, str]:
    return {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
