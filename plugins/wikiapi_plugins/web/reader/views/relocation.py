"""Rendered pages below another mount point: their links are made to lead there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup
from selectolax.lexbor import LexborHTMLParser

if TYPE_CHECKING:
    from wikiapi_plugins.web.reader.visit import Visit

_ADDRESSES = ("href", "src", "action", "poster")
_SETS = "srcset"
_SELECTOR = ",".join(f"[{name}]" for name in (*_ADDRESSES, _SETS))


def relocated(visit: Visit, html: str) -> Markup:
    """The HTML of a rendering; changed only where the settings do not know the mount point."""
    script = visit.reader.addresses.index
    if visit.reader.addresses.below(visit.root, script) == script:
        return Markup(html)  # noqa: S704
    tree = LexborHTMLParser(html, is_fragment=True)
    for node in tree.css(_SELECTOR):
        for name in _ADDRESSES:
            value = node.attributes.get(name)
            if value and value.startswith("/"):
                node.attrs[name] = visit.file_url(value)
        if value := node.attributes.get(_SETS):
            node.attrs[_SETS] = ", ".join(
                visit.file_url(part.strip()) for part in value.split(", ")
            )
    return Markup(tree.html or "")  # noqa: S704
