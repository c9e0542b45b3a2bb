"""``<pre>``: text that is not wikitext, with its lines as they are."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wikiapi.wikitext.declarations import ExtensionTag
from wikiapi.wikitext.html.attributes import checked_attributes, encode_attributes

if TYPE_CHECKING:
    from wikiapi.wikitext.expand.call import TagCall

# One that is not closed takes the rest, which is left as it is: no other is looked for in it.
_NOWIKI = re.compile(r"<nowiki>(.*?)</nowiki>|(<nowiki>.*+)", re.DOTALL)


def pre(call: TagCall) -> str:
    """A ``<pre>`` element; ``<nowiki>`` within it is dropped."""
    text = _NOWIKI.sub(r"\1\2", call.inner or "")
    attributes = encode_attributes(checked_attributes(call.attributes, "pre"))
    text = text.replace("<", "&lt;").replace(">", "&gt;")
    text = text.replace("-{", "-&#123;").replace("}-", "&#125;-")
    return f"<pre{attributes}>{text}</pre>"


DECLARATION = ExtensionTag("pre", pre)
