"""Lookups of pages by modules are recorded as existence links, not as links."""

from __future__ import annotations

from collections.abc import Callable

from wikiapi.site import Site


def test_pages_that_modules_look_up_are_recorded(lua_site: Callable[..., Site]) -> None:
    body = (
        "for _, name in ipairs({'B', 'Page', 'Special:Log'}) do x = mw.title.new(name).exists end"
    )
    site = lua_site({"B": ""}, M=f"local p = {{}}\nfunction p.f() local x; {body} end\nreturn p")
    output = site.parser.parse("{{#invoke:M|f}}", site.titles.parse("Page"))
    assert list(output.existence_links) == [(0, "B")]
    assert not output.links
