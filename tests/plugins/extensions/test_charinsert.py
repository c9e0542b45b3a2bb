from __future__ import annotations

import pytest

from tests.plugins.rendering import html_of, parsed
from wikiapi.site import Site

pytestmark = pytest.mark.wiki({}, writable=False)


def link(start: str, end: str = "", label: str | None = None) -> str:
    attributes = f'data-mw-charinsert-start="{start}" data-mw-charinsert-end="{end}"'
    return f'<a {attributes} class="mw-charinsert-item">{label or start + end}</a>'


@pytest.mark.parametrize(
    ("inner", "links"),
    [
        ("á é", [link("á"), link("é")]),
        ("[[+]]", [link("[[", "]]")]),
        ("a+b+c + +d", [link("a", "b"), link("+"), link("+")]),
        ("&lt;b&gt;+&lt;/b&gt;", [link("&lt;b&gt;", "&lt;/b&gt;")]),
        ("<nowiki>a b</nowiki>", [link("a b")]),
        ("a\u00a0b", [link("a\u00a0b")]),
        ('"+"', [link("&quot;", "&quot;", '""')]),
    ],
)
def test_links(site: Site, inner: str, links: list[str]) -> None:
    html = html_of(site, f"<charinsert>{inner}</charinsert>")
    assert html == f"<p>{chr(10).join(links)}\n</p>"


def test_lines_and_labels(site: Site) -> None:
    html = html_of(site, "<charinsert label='L & M'>a\nb</charinsert>")
    assert html == f"<p>{link('a', label='L &amp; M')}<br />\n{link('b', label='L &amp; M')}\n</p>"


def test_modules(site: Site) -> None:
    answer = parsed(site, "<charinsert>a</charinsert>", prop="modules")
    assert answer["modules"] == ["ext.charinsert"]
    assert answer["modulestyles"] == ["ext.charinsert.styles"]
