"""Server processes (``wikiapi serve``) for benchmarks."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

PATIENCE = 60.0
"""Seconds within which a server must start or stop."""


def free_port() -> int:
    """Return a free port."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


@contextmanager
def serving(
    config: Path, port: int, log: Path, *options: str, workers: int = 1
) -> Iterator[subprocess.Popen[bytes]]:
    """Run ``wikiapi serve`` with a configuration; yield its process when all workers answer.

    Args:
        config: the configuration, which names the port.
        port: the port on which it listens.
        log: the file to which its output and its log are appended.
        *options: further options of the command.
        workers: the number of processes that answer.

    Raises:
        RuntimeError: it does not start.
    """
    command = [sys.executable, "-m", "wikiapi", "serve", "--config", str(config), *options]
    command += ["--workers", str(workers)]
    with log.open("ab") as file, subprocess.Popen(command, stdout=file, stderr=file) as process:
        try:
            await_port(port, process)
            if workers > 1:
                _await_workers(process, workers)
            yield process
        finally:
            process.terminate()
            process.wait(PATIENCE)


def _await_workers(process: subprocess.Popen[bytes], workers: int) -> None:
    """Wait until each worker process has threads, which it starts when it accepts connections.

    Raises:
        RuntimeError: they do not start in time.
    """
    limit = time.monotonic() + PATIENCE
    while time.monotonic() < limit:
        children = psutil.Process(process.pid).children()
        if sum(child.num_threads() > 1 for child in children) == workers:
            return
        time.sleep(0.05)
    raise RuntimeError("the worker processes did not start")


def await_port(port: int, process: subprocess.Popen[bytes]) -> None:
    """Wait until a process listens on a port.

    Raises:
        RuntimeError: it does not listen in time, or has ended.
    """
    limit = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < limit:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=5).close()
        except ConnectionRefusedError:
            time.sleep(0.05)
        else:
            return
    raise RuntimeError("the server did not start")
