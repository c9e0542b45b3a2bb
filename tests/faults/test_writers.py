"""Many clients write at once, and servers are killed while they do.

``make bench ONLY=writers`` and ``ONLY=writekills`` do it for longer.
"""

from __future__ import annotations

from contextlib import ExitStack, closing, nullcontext
from operator import sub
from pathlib import Path

import pytest

from bench import writing
from bench.servers import free_port
from tests.servers import SERVERS, running_or_skipped
from wikiapi.store import Database
from wikiapi.store.models import Revision, User
from wikiapi_plugins.editing.actions import ACTIONS

pytestmark = pytest.mark.slow

NAMES = frozenset(action.name for action in ACTIONS)


@pytest.mark.parametrize("kind", ["sqlite", *SERVERS])
def test_writers_at_once_lose_no_edit(tmp_path: Path, kind: str) -> None:
    with running_or_skipped(kind) if kind in SERVERS else nullcontext() as server:
        _write_at_once(tmp_path, writing.make_store(tmp_path, server))


def _write_at_once(tmp_path: Path, url: str) -> None:
    with writing.serving(tmp_path, url) as (port, _):
        written = writing.write_for(port, 16, 4, NAMES)
    assert written.failures == []
    assert written.accepted
    assert writing.lost(url, written) == []
    assert writing.check(tmp_path) == ""


@pytest.mark.parametrize("kind", SERVERS)
def test_editors_of_two_processes_lose_no_edit(tmp_path: Path, kind: str) -> None:
    with running_or_skipped(kind) as server, ExitStack() as stack:
        url = writing.make_store(tmp_path, server)
        config, ports = writing.write_settings(tmp_path, url), [free_port() for _ in range(2)]
        for port in ports:
            stack.enter_context(writing.serving_on(config, port))
        before = _counts(url)
        written = writing.write_for(ports[0], 16, 4, frozenset({"edit"}), more_ports=ports[1:])
        assert written.failures == []
        assert written.accepted
        assert writing.lost(url, written) == []
        assert writing.check(tmp_path) == ""
        edits, revisions = map(sub, _counts(url), before)
        assert edits == revisions >= len(written.accepted)


def _counts(url: str) -> tuple[int, int]:
    """Return how many edits the writer's account has made, and how many revisions there are."""
    with closing(Database(url)) as db:
        counted = User.select(User.user_editcount).where(User.user_name == writing.WRITER)
        return int(db.scalar(counted) or 0), len(db.execute(Revision.select(Revision.rev_id)))


def test_a_server_that_is_killed_leaves_a_whole_store(tmp_path: Path) -> None:
    url = writing.make_store(tmp_path)
    for after in (0.6, 0.85, 1.2):
        with writing.serving(tmp_path, url) as (port, process):
            timer = writing.kill(process, after)
            written = writing.write_for(port, 4, 20, NAMES, f"{after}-")
            timer.join()
        assert written.failures == []
        assert writing.lost(url, written) == []
        assert writing.check(tmp_path) == ""
