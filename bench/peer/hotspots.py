"""``python -m bench.peer.hotspots``: profile the rendering of plain pages with cProfile.

The pages of the last ``make bench-peer`` that need no extension are rendered in this process, from
the store of that run. The first round, which fills the caches of templates, does not count.
"""

from __future__ import annotations

import cProfile
import json
import pstats
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace

from bench.peer.run import DETAILS, STATE
from bench.peer.store import Store
from bench.report import RESULTS
from wikiapi.config import load_config
from wikiapi.factory import open_site
from wikiapi.http.app import make_app
from wikiapi.testing.client import ApiClient

SHOWN = 30


def main() -> None:
    """Print the functions with the largest own times."""
    rows = json.loads((RESULTS / f"{DETAILS}.json").read_text(encoding="utf-8"))
    titles = [row["title"] for row in rows if row["plain"]]
    store = Store(STATE)
    config = load_config(store.config)
    config = replace(config, database=replace(config.database, url=store.url))
    site = open_site(config)
    with closing(site.db):
        client = ApiClient(make_app(site))
        _render(client, titles)
        profile = cProfile.Profile()
        profile.runcall(_render, client, titles)
    pstats.Stats(profile, stream=sys.stdout).strip_dirs().sort_stats("tottime").print_stats(SHOWN)


def _render(client: ApiClient, titles: Sequence[str]) -> None:
    for title in titles:
        client.get(action="parse", page=title)


if __name__ == "__main__":
    main()
