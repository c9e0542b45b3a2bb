from __future__ import annotations

from collections.abc import Callable

import pytest

from bench.luadump import LuaDumpMaker
from wikiapi.config import NamespaceConfig
from wikiapi.site import Site


def test_modules_of_the_dump_run_without_errors(make_site: Callable[..., Site]) -> None:
    pytest.importorskip("lupa")
    maker = LuaDumpMaker(240)
    pages = list(maker.pages())
    assert len(pages) == 240
    site = make_site(
        {title: text for _, title, text in pages},
        namespaces=[NamespaceConfig(828, "Module"), NamespaceConfig(829, "Module talk")],
    )
    invoked = 0
    for ns, title, text in pages:
        if ns == 0:
            expanded = site.parser.expand(text, site.titles.parse(title))
            assert 'class="error"' not in expanded, title
            invoked += "infobox" in expanded
    assert invoked > 20
