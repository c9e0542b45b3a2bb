"""``<term>bergamot</term>``: mark a term that the page explains."""

from __future__ import annotations

from typing import cast

from wikiapi.wikitext import ExtensionTag, TagCall, escape_text
from wikiapi_wordcount.model import DATA

LONGEST = 255
"""Maximum number of characters of a term."""


def term(call: TagCall) -> str:
    """Record the term and return its HTML. The content of the tag is text, not wikitext."""
    text = " ".join((call.inner or "").split())
    if not text or len(text) > LONGEST:
        return '<span class="error">&lt;term&gt;: a term has 1 to 255 characters</span>'
    # A dict contains each term once, in the order of the page.
    terms = cast("dict[str, None]", call.state.output.plugin_data.setdefault(DATA, {}))
    terms[text] = None
    return f"<dfn>{escape_text(text)}</dfn>"


DECLARATION = ExtensionTag("term", term)
