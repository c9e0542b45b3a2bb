"""``<nowiki>``: text that is not wikitext."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.wikitext.declarations import Expansion, ExtensionTag

if TYPE_CHECKING:
    from wikiapi.wikitext.expand.call import TagCall


def escape_tags(text: str) -> str:
    """The text with its tags escaped; character references keep their meaning."""
    return text.replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def nowiki(call: TagCall) -> Expansion:
    """The content as it is."""
    text = (call.inner or "").replace("-{", "-&#123;").replace("}-", "&#125;-")
    return Expansion(escape_tags(text), nowiki=True)


DECLARATION = ExtensionTag("nowiki", nowiki)
