"""Many clients write at once, and servers are killed while they do.

``make bench ONLY=writers`` and ``ONLY=writekills`` do it for longer.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bench import writing
from wikiapi_plugins.editing.performers import PERFORMERS

pytestmark = pytest.mark.slow

ACTIONS = frozenset(PERFORMERS)


def test_writers_at_once_lose_no_edit(tmp_path: Path) -> None:
    writing.make_store(tmp_path)
    with writing.serving(tmp_path) as (port, _):
        written = writing.write_for(port, 16, 4, ACTIONS)
    assert written.failures == []
    assert len(written.accepted) > 16
    assert writing.lost(tmp_path, written) == []
    assert writing.check(tmp_path) == ""


def test_a_server_that_is_killed_leaves_a_whole_store(tmp_path: Path) -> None:
    writing.make_store(tmp_path)
    for after in (0.6, 0.85, 1.2):
        with writing.serving(tmp_path) as (port, process):
            timer = writing.kill(process, after)
            written = writing.write_for(port, 4, 20, ACTIONS, f"{after}-")
            timer.join()
        assert written.failures == []
        assert writing.lost(tmp_path, written) == []
        assert writing.check(tmp_path) == ""
