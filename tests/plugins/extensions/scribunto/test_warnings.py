"""``mw.addWarning``: all warnings are reported, unlike those of the parser of the same kind."""

from __future__ import annotations

from collections.abc import Callable

from wikiapi.site import Site


def test_warnings_of_modules_are_reported_each_time(lua_site: Callable[..., Site]) -> None:
    body = "mw.addWarning('a') mw.addWarning('b') mw.addWarning('a')"
    site = lua_site(M=f"local p = {{}}\nfunction p.f() {body} end\nreturn p")
    output = site.parser.parse("{{#invoke:M|f}}", site.titles.parse("Page"))
    assert [text[-1] for text in output.warnings.values()] == ["a", "b", "a"]
