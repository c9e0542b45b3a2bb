"""The cost of an ``#invoke``: a trivial function on a page that calls it many times.

It is compared with a call of the same function through lupa in this process, and with the same page
with a template in place of the module.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

from lupa.lua51 import LuaRuntime  # type: ignore[import-untyped]

from bench.report import Figure, publish
from wikiapi.config import NamespaceConfig
from wikiapi.testing import make_site

CALLS = 500
ROUNDS = 15
MAX_MS = 0.3
"""Largest time of a call in milliseconds."""
LUA = "local p = {}\nfunction p.f(frame) return 'x' .. frame.args[1] end\nreturn p"
BARE = "function(text) return 'x' .. text end"


def run() -> bool:
    """Measure; return whether the target is met."""
    site = make_site(
        {"Module:M": LUA, "Template:T": "x{{{1}}}"},
        namespaces=[NamespaceConfig(828, "Module"), NamespaceConfig(829, "Module talk")],
    )
    title = site.titles.parse("Page")
    modules = "".join(f"{{{{#invoke:M|f|{number}}}}}" for number in range(CALLS))
    templates = "".join(f"{{{{T|{number}}}}}" for number in range(CALLS))
    bare = LuaRuntime().eval(BARE)
    start = _seconds(lambda: site.parser.expand("{{#invoke:M|f|1}}", title))
    one = _median(lambda: site.parser.expand("{{#invoke:M|f|1}}", title))
    call = _median(lambda: site.parser.expand(modules, title)) / CALLS
    template = _median(lambda: site.parser.expand(templates, title)) / CALLS
    alone = _median(lambda: [bare(str(number)) for number in range(CALLS)]) / CALLS
    site.db.close()
    return publish(
        "scribunto",
        [
            Figure("bare lupa call", alone * 1000, "ms", 1.0),
            Figure("template with one argument", template * 1000, "ms", template / alone),
            Figure("#invoke", call * 1000, "ms", None, MAX_MS, target_of="value"),
            Figure("page with one #invoke", one * 1000, "ms"),
            Figure("the first one, worker started", start * 1000, "ms"),
        ],
    )


def _seconds(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def _median(action: Callable[[], object]) -> float:
    return statistics.median(_seconds(action) for _ in range(ROUNDS))
