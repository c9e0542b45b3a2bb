"""Sixteen writers on several database servers of one wiki, of which one ends and starts again."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from bench import writing
from bench.writing import Written
from tests.servers import Server, galera_cluster, or_skipped, running_or_skipped
from wikiapi_plugins.editing.actions import ACTIONS

pytestmark = pytest.mark.slow

NAMES = frozenset(action.name for action in ACTIONS)
SECONDS = 35.0
BEFORE, DOWN = 5.0, 8.0
"""Seconds before a server ends, and before it is started again: the others notice it after five."""


@contextmanager
def served(folder: Path, urls: Sequence[str]) -> Iterator[list[int]]:
    """Serve the wiki at each URL inside the block; yield the ports."""
    with ExitStack() as servers:
        ports = []
        for number, url in enumerate(urls):
            own = folder / str(number)
            own.mkdir()
            ports.append(servers.enter_context(writing.serving(own, url))[0])
        yield ports


def write(ports: Sequence[int], writers: Sequence[int]) -> list[Written]:
    """Return what a number of writers write at each port."""
    with ThreadPoolExecutor(len(ports)) as pool:
        runs = [
            pool.submit(writing.write_for, port, count, SECONDS, NAMES, f"{number}-")
            for number, (port, count) in enumerate(zip(ports, writers, strict=True))
        ]
        return [run.result() for run in runs]


def while_restarting(
    server: Server, work: Callable[[], list[Written]], *, at_once: bool
) -> list[Written]:
    """Return what was written by ``work``, during which a server is ended and started again."""
    with ThreadPoolExecutor(1) as pool:
        written = pool.submit(work)
        time.sleep(BEFORE)
        server.stop(at_once=at_once)
        time.sleep(DOWN)
        # In this thread: the server ends with the thread that has started it.
        server.start()
        return written.result()


def complaints(folder: Path, url: str, runs: Sequence[Written]) -> list[str]:
    """Return what is wrong with the accepted edits, and with the store."""
    everything = Written(accepted=[edit for run in runs for edit in run.accepted])
    broken = writing.check(folder)
    return [*writing.lost(url, everything), *([broken] if broken else [])]


def is_of_connection(failure: str) -> bool:
    return "DBConnectionError" in failure or "503" in failure


def test_a_node_of_a_cluster_is_killed(tmp_path: Path) -> None:
    with or_skipped(galera_cluster(3)) as nodes:
        url = writing.make_store(tmp_path, nodes[0])
        name = url.partition("?")[0].rpartition("/")[2]
        urls = [node.url(name) for node in nodes]
        with served(tmp_path, urls) as ports:
            runs = while_restarting(nodes[2], lambda: write(ports, (6, 6, 4)), at_once=True)
        assert [run.failures for run in runs[:2]] == [[], []]
        assert [each for each in runs[2].failures if not is_of_connection(each)] == []
        assert all(run.accepted for run in runs)
        for each in urls:
            writing.write_settings(tmp_path, each)
            assert complaints(tmp_path, each, runs) == []


def test_the_only_server_is_restarted(tmp_path: Path) -> None:
    with running_or_skipped("postgresql") as server:
        url = writing.make_store(tmp_path, server)
        writing.write_settings(tmp_path, url)
        with served(tmp_path, [url]) as ports:
            runs = while_restarting(server, lambda: write(ports, [16]), at_once=False)
        assert [each for each in runs[0].failures if not is_of_connection(each)] == []
        assert runs[0].accepted
        assert complaints(tmp_path, url, runs) == []
