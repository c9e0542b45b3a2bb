"""Sixteen clients edit, move and delete at the same time for a minute, mostly the same pages.

No accepted edit may be lost or out of order, no answer may be a server error, and the store must be
consistent. The environment variables ``WRITERS`` and ``SECONDS`` change the numbers, ``PROCESSES``
is the number of servers of the wiki, among which the clients are shared, and ``KILLS`` how often
one of them is killed at a random moment (``SEED`` determines which, and when) and started again:
``WRITERS=8 SECONDS=180 PROCESSES=2 KILLS=2 make bench ONLY=writers``. ``SERVER=mariadb`` or
``SERVER=postgresql`` uses that database.
"""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import tempfile
import threading
import time
from contextlib import ExitStack
from pathlib import Path

from bench import writing
from bench.report import Figure, publish
from bench.servers import free_port
from wikiapi_plugins.editing.actions import ACTIONS

WRITERS = int(os.environ.get("WRITERS", "16"))
SECONDS = float(os.environ.get("SECONDS", "60"))
PROCESSES = int(os.environ.get("PROCESSES", "1"))
KILLS = int(os.environ.get("KILLS", "0"))
SEED = int(os.environ.get("SEED", "45"))


def run() -> bool:
    """Measure; return whether the targets are met."""
    with tempfile.TemporaryDirectory() as name, writing.database_server() as server:
        folder = Path(name)
        url = writing.make_store(folder, server)
        with Servers(writing.write_settings(folder, url), PROCESSES) as servers:
            killer = threading.Thread(target=servers.kill, args=(KILLS, SECONDS))
            killer.start()
            written = writing.write_for(
                servers.ports[0],
                WRITERS,
                SECONDS,
                frozenset(action.name for action in ACTIONS),
                more_ports=servers.ports[1:],
                reconnect=KILLS > 0,
            )
            killer.join()
        lost, broken = writing.lost(url, written), writing.check(folder)
    for code, number in sorted(written.codes.items()):
        print(f"  {number:8} {code}")
    print(*written.failures[:10], *lost[:10], broken, sep="\n")
    return publish("writers", _figures(written, servers.killed, lost, broken))


class Servers:
    """Server processes of one wiki, which are started inside a block, and some of them killed."""

    def __init__(self, config: Path, number: int) -> None:
        """Choose a port for each of a number of processes."""
        self.ports = [free_port() for _ in range(number)]
        self.killed = 0
        self._config = config
        self._closing = ExitStack()
        self._is_over = threading.Event()

    def __enter__(self) -> Servers:
        """Start the processes."""
        with ExitStack() as starting:
            starting.push(self._closing)
            self._processes = {port: self._start(port) for port in self.ports}
            starting.pop_all()
        return self

    def __exit__(self, *error: object) -> None:
        """Stop the processes, and kill no more."""
        self._is_over.set()
        self._closing.close()

    def _start(self, port: int) -> subprocess.Popen[bytes]:
        return self._closing.enter_context(writing.serving_on(self._config, port))

    def kill(self, kills: int, seconds: float) -> None:
        """Kill a process and start it again, this number of times in the next seconds."""
        chance, started = random.Random(SEED), time.monotonic()
        for moment in sorted(chance.uniform(0.1, 0.9) * seconds for _ in range(kills)):
            if self._is_over.wait(max(0.0, started + moment - time.monotonic())):
                return
            port = chance.choice(self.ports)
            self._processes[port].kill()
            self._processes[port].wait()
            self.killed += 1
            self._processes[port] = self._start(port)


def _figures(written: writing.Written, killed: int, lost: list[str], broken: str) -> list[Figure]:
    times = sorted(written.seconds)
    median, percentile = statistics.median(times), times[int(len(times) * 0.99)]
    return [
        Figure("requests a second", sum(written.codes.values()) / SECONDS, "/s"),
        Figure("accepted edits a second", len(times) / SECONDS, "/s"),
        Figure("an edit among them, median", median * 1000, "ms"),
        Figure("99th percentile", percentile * 1000, "ms", percentile / median),
        Figure("the slowest", times[-1] * 1000, "ms"),
        Figure("servers killed", killed, ""),
        Figure("requests without an answer", written.resets, ""),
        Figure("retryable errors", written.retryable, ""),
        Figure("errors of the server", len(written.failures), "", None, 0, "value"),
        Figure("edits lost or out of order", len(lost), "", None, 0, "value"),
        Figure("complaints about the store", int(bool(broken)), "", None, 0, "value"),
    ]
