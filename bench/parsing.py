"""The time to render pages of several sizes: plain, with templates and with Lua.

No rendering is cached, but the trees of templates and modules are, as in production. The figures
are medians of elapsed time; the ratio is to a text of a tenth of the size.
"""

from __future__ import annotations

import gc
import statistics
import time
from contextlib import closing

from bench.report import Figure, publish
from wikiapi.config import NamespaceConfig
from wikiapi.site import Site
from wikiapi.testing import make_site
from wikiapi.wikitext.options import ParserOptions

SIZES = (1_000, 10_000, 100_000)
ROUNDS = 7
GROWTH = 12
"""The largest allowed ratio of times for ten times the text."""
_OPTIONS = ParserOptions(limit_report=False)
_PROSE = (
    "== Section {n} ==\nThe '''tea''' plant number {n} is grown in [[Place {n}|some place]], as "
    "[https://example.org/{n} is told], with ''care''.\n* One of {n}\n* Another\n\n"
)
_KINDS = {
    "plain": _PROSE,
    "templates": _PROSE + "{{{{Box|name={n}|colour={{{{Colour|{n}}}}}}}}}\n",
    "Lua": _PROSE + "{{{{#invoke:Box|show|{n}}}}}\n",
}
_PAGES = {
    "Template:Box": "{| class=box\n! {{{name}}}\n| {{#if:{{{colour|}}}|{{{colour}}}|none}}\n|}",
    "Template:Colour": "{{#switch:{{{1}}}|1=red|2=green|#default=blue {{lc:{{{1}}}}}}}",
    "Module:Box": "local p = {}\nfunction p.show(frame)\n"
    "  return '<b>' .. mw.text.trim(frame.args[1]) .. '</b>'\nend\nreturn p",
}


def run() -> bool:
    """Measure; return whether the targets are met."""
    spaces = [NamespaceConfig(828, "Module"), NamespaceConfig(829, "Module talk")]
    config = {"limits": {"template_cache_bytes": 33_554_432}, "cache": {"url": ""}}
    site = make_site(_PAGES, namespaces=spaces, config=config)
    with closing(site.db):
        return publish("parsing", [row for kind in _KINDS for row in _figures(site, kind)])


def _figures(site: Site, kind: str) -> list[Figure]:
    rows: list[Figure] = []
    for size in SIZES:
        value = _median(site, kind, size) * 1000
        ratio = value / rows[-1].value if rows else None
        name = f"{kind}, {size // 1000} kB"
        rows.append(Figure(name, value, "ms", ratio, GROWTH if rows else None))
    return rows


def _text(kind: str, size: int, turn: int) -> str:
    """Return a text of a size; a different one in each turn, so that no part of it is cached."""
    parts, length, number = list[str](), 0, turn * 10_000
    while length < size:
        parts.append(_KINDS[kind].format(n=number))
        length += len(parts[-1])
        number += 1
    return "".join(parts)


def _median(site: Site, kind: str, size: int) -> float:
    title = site.titles.parse("Page")
    rounds = []
    for turn in range(ROUNDS + 1):
        text = _text(kind, size, turn)
        gc.collect()
        start = time.perf_counter()
        site.parser.parse(text, title, _OPTIONS)
        rounds.append(time.perf_counter() - start)
    return statistics.median(rounds[1:])
