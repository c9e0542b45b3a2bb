"""What plugins change in a rendered page: the hook ``transform_html``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from selectolax.lexbor import LexborHTMLParser

from wikiapi.wikitext.html.serialize import close_voids

if TYPE_CHECKING:
    from wikiapi.wikitext.state import ParseState

_DOCUMENT = "<!DOCTYPE html><html><head></head><body>"


def transformed(html: str, state: ParseState) -> str:
    """The HTML of a page as plugins leave it.

    A tree is built only where a plugin wants one. Character references are then written anew: a
    tree holds characters, not how they were spelt.
    """
    hook = state.site.plugins.hook.transform_html
    if not hook.get_hookimpls():
        return html
    root = LexborHTMLParser(_DOCUMENT + html).body
    if root is None:
        return html
    hook(root=root, output=state.output, options=state.options)
    return close_voids(root.inner_html or "")
