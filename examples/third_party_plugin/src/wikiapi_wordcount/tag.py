"""``<term>bergamot</term>``: marks a term where a page explains it."""

from __future__ import annotations

from typing import cast

from wikiapi.wikitext import ExtensionTag, TagCall, escape_text
from wikiapi_wordcount.model import DATA

LONGEST = 255
"""Characters that the table takes."""


def term(call: TagCall) -> str:
    """Note the term, show it as one. Its content is text, not wikitext."""
    text = " ".join((call.inner or "").split())
    if not text or len(text) > LONGEST:
        return '<span class="error">&lt;term&gt;: a term has 1 to 255 characters</span>'
    # A dict keeps each term once, in the order of the page.
    terms = cast("dict[str, None]", call.state.output.plugin_data.setdefault(DATA, {}))
    terms[text] = None
    return f"<dfn>{escape_text(text)}</dfn>"


DECLARATION = ExtensionTag("term", term)
