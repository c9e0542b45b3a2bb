"""Sixteen clients edit, move and delete at the same time for a minute, mostly the same pages.

No accepted edit may be lost, no answer may be a server error, and the store must be consistent.
The environment variables ``WRITERS`` and ``SECONDS`` change the numbers; ``SERVER=mariadb`` or
``SERVER=postgresql`` uses that database.
"""

from __future__ import annotations

import os
import statistics
import tempfile
from pathlib import Path

from bench import writing
from bench.report import Figure, publish
from wikiapi_plugins.editing.implementations import IMPLEMENTATIONS

WRITERS = int(os.environ.get("WRITERS", "16"))
SECONDS = float(os.environ.get("SECONDS", "60"))


def run() -> bool:
    """Measure; return whether the targets are met."""
    with tempfile.TemporaryDirectory() as name, writing.database_server() as server:
        folder = Path(name)
        url = writing.make_store(folder, server)
        with writing.serving(folder, url) as (port, _):
            written = writing.write_for(port, WRITERS, SECONDS, frozenset(IMPLEMENTATIONS))
        lost, broken = writing.lost(url, written), writing.check(folder)
    for code, number in sorted(written.codes.items()):
        print(f"  {number:8} {code}")
    print(*written.failures[:10], broken, sep="\n")
    times = sorted(written.seconds)
    return publish(
        "writers",
        [
            Figure("requests a second", sum(written.codes.values()) / SECONDS, "/s"),
            Figure("an edit among them, median", statistics.median(times) * 1000, "ms"),
            Figure("99th percentile", times[int(len(times) * 0.99)] * 1000, "ms"),
            Figure("errors of the server", len(written.failures), "", None, 0, "value"),
            Figure("lost edits", len(lost), "", None, 0, "value"),
            Figure("complaints about the store", int(bool(broken)), "", None, 0, "value"),
        ],
    )
