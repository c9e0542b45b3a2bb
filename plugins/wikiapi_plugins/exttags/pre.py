"""``<pre>``: text that is not wikitext, with its lines as they are."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wikiapi.wikitext.declarations import ExtensionTag
from wikiapi.wikitext.html.attributes import checked_attributes, encode_attributes

if TYPE_CHECKING:
    from wikiapi.wikitext.expand.call import TagCall

_NOWIKI = re.compile(r"<nowiki>(.*?)</nowiki>", re.DOTALL)


def pre(call: TagCall) -> str:
    """A ``<pre>`` element; ``<nowiki>`` within it is dropped."""
    text = _without_nowiki(call.inner or "")
    attributes = encode_attributes(checked_attributes(call.attributes, "pre"))
    text = text.replace("<", "&lt;").replace(">", "&gt;")
    text = text.replace("-{", "-&#123;").replace("}-", "&#125;-")
    return f"<pre{attributes}>{text}</pre>"


def _without_nowiki(text: str) -> str:
    # Behind the last end tag there is nothing to find, and no need to look again and again.
    end = text.rfind("</nowiki>") + 1
    return _NOWIKI.sub(r"\1", text[: end + 8]) + text[end + 8 :] if end else text


DECLARATION = ExtensionTag("pre", pre)
