from __future__ import annotations

import subprocess
import sys

_PROGRAM = """
import sys, wikiapi.api
print(*sorted({name.split(".")[1] for name in sys.modules if name.startswith("wikiapi.")}))
"""
MAY_BE_LOADED = {
    "accounts",
    "api",
    "budget",
    "config",
    "errors",
    "expiry",
    "filerepo",
    "heap",
    "languages",
    "memoize",
    "pages",
    "registry",
    "site",
    "store",
    "temporary",
    "texts",
    "timestamps",
    "timetexts",
    "title",
    "version",
    "wiki",
}


def test_the_api_loads_neither_parser_nor_server() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM], capture_output=True, text=True, check=True
    )
    assert set(done.stdout.split()) <= MAY_BE_LOADED
