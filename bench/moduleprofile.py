"""The functions in which a request spends its time."""

from __future__ import annotations

import cProfile
import pstats
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from wikiapi.testing.client import ApiClient

_SHOWN = 5
_REPEATED = 5


def profile_request(client: ApiClient, params: Mapping[str, str]) -> list[str]:
    """Return lines about the functions with the largest own times, in ms per request."""
    profile = cProfile.Profile()
    client.reply("GET", params)
    with profile:
        for _ in range(_REPEATED):
            client.reply("GET", params)
    # Each function has: primitive calls, calls, own seconds, seconds with what it calls, callers.
    table = cast("dict[Any, Any]", vars(pstats.Stats(profile))["stats"])
    most = sorted(table.items(), key=lambda item: item[1][2], reverse=True)[:_SHOWN]
    return [_line(function, figures[1], figures[2]) for function, figures in most]


def _line(function: tuple[str, int, str], calls: int, seconds: float) -> str:
    file, number, name = function
    where = f"{'/'.join(Path(file).parts[-2:])}:{number} {name}" if number else name
    return f"{seconds / _REPEATED * 1000:8.3f} ms {calls // _REPEATED:7} calls  {where}"
