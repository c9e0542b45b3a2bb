"""Modules that are redirects: the form they must have, and the redirects that are stored."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from wikiapi.pages.links.update import LinksUpdate, mark_all
from wikiapi.site import Site


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("return require [[Module:B]]", (828, "B")),
        ('return require [[Module:B "c"]]', (828, 'B_"c"')),
        ("return require [[Module:B]] -- moved", None),
        ("return require [[module:b]]", None),
        ("return require [[]]", None),
        ('return require("Module:B")', None),
        ("#REDIRECT [[Module:B]]", None),
    ],
)
def test_redirects_of_modules(
    lua_site: Callable[..., Site], source: str, target: tuple[int, str] | None
) -> None:
    site = lua_site(A=source)
    mark_all(site.db)
    LinksUpdate(site).run()
    rows = site.db.execute_sql("SELECT rd_namespace, rd_title FROM redirect")
    assert rows == ([target] if target else [])
    assert site.db.execute_sql("SELECT page_is_redirect FROM page") == [(int(target is not None),)]


@pytest.mark.parametrize(
    ("name", "target"),
    [
        ("Module:To B", "Module:B"),
        ("Module:B", "none"),
        ("Module:Wikitext", "none"),
        ("Old", "New"),
    ],
)
def test_lua_reads_redirects_of_any_model(
    lua_site: Callable[..., Site], name: str, target: str
) -> None:
    title = f"mw.title.new('{name}').redirectTarget"
    site = lua_site(
        {
            "Module:To B": "return require [[Module:B]]",
            "Old": "#REDIRECT [[New]]",
        },
        A=f"return {{ f = function() return ({title} or {{ fullText = 'none' }}).fullText end }}",
        B="return {}",
        Wikitext="#REDIRECT [[Module:B]]",
    )
    assert site.parser.expand("{{#invoke:A|f}}", site.titles.parse("Page")) == target
