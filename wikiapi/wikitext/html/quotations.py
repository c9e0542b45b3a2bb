"""Quotations hold blocks as a page does: inline content in them gets paragraphs of its own."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wikiapi.wikitext.html.wrap import wrapped_children

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

_HELD = re.compile("\x7fq([0-9]+)\x7f")


class Quotations:
    """The contents of a page's quotations, taken out while what is around them is written.

    However deep they are nested, each is written once.
    """

    def __init__(self, body: LexborNode, *, is_sound: bool) -> None:
        """Write the contents of each quotation and leave a mark in its place, the inner ones first.

        Args:
            body: the page.
            is_sound: whether its tags were nested soundly.
        """
        self._contents: list[str] = []
        for quote in reversed(body.css("blockquote")):
            self._contents.append(wrapped_children(quote, is_sound=is_sound))
            quote.inner_html = f"\x7fq{len(self._contents) - 1}\x7f"

    def put_back(self, html: str) -> str:
        """The HTML with the contents in place of their marks."""
        if not self._contents:
            return html
        out: list[str] = []
        pending = [iter(_HELD.split(html))]
        while pending:
            text = next(pending[-1], None)
            if text is None:
                pending.pop()
                continue
            out.append(text)
            index = next(pending[-1], None)
            if index is not None:
                pending.append(iter(_HELD.split(self._contents[int(index)])))
        return "".join(out)
