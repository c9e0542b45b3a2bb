"""A server is killed repeatedly while clients write to it.

After each kill, every accepted edit must be in the wiki, and ``wikiapi check --links`` must find no
problem. The environment variable ``KILLS`` is the number of kills. ``SERVER=mariadb`` or
``SERVER=postgresql`` puts the wiki into such a database, whose own server is not killed.
"""

from __future__ import annotations

import os
import random
import tempfile
from pathlib import Path

from bench import writing
from bench.report import Figure, publish
from wikiapi_plugins.editing.actions import ACTIONS

KILLS = int(os.environ.get("KILLS", "50"))
_SEED = 45
_WRITERS = 4
_FIRST, _LAST = 0.3, 2.0
"""Seconds between the start of the server and its kill, at least and at most."""


def run() -> bool:
    """Measure; return whether the targets are met."""
    moments, actions = random.Random(_SEED), frozenset(action.name for action in ACTIONS)
    accepted, lost, broken, failures = 0, 0, 0, list[str]()
    with tempfile.TemporaryDirectory() as name, writing.database_server() as server:
        folder, url = Path(name), ""
        for number in range(KILLS):
            if number % 10 == 0:  # checking a store that grows for ever would take too long
                url = writing.make_store(folder, server)
            with writing.serving(folder, url) as (port, process):
                timer = writing.kill(process, moments.uniform(_FIRST, _LAST))
                written = writing.write_for(port, _WRITERS, 60, actions, f"{number}-")
                timer.join()
            accepted += len(written.accepted)
            lost += len(writing.lost(url, written))
            failures += written.failures
            if complaint := writing.check(folder):
                broken += 1
                print(complaint)
    print(*failures[:10], sep="\n")
    return publish(
        "writekills",
        [
            Figure("kills", KILLS, ""),
            Figure("accepted edits", accepted, ""),
            Figure("lost edits", lost, "", None, 0, "value"),
            Figure("broken stores", broken, "", None, 0, "value"),
            Figure("errors of the server", len(failures), "", None, 0, "value"),
        ],
    )
