"""``<nowiki>``, ``<pre>`` and ``<indicator>``: content that is put aside."""

from __future__ import annotations

import re

from wikiapi.wikitext import (
    Expansion,
    ExtensionTag,
    TagCall,
    checked_attributes,
    encode_attributes,
    finish_fragment,
)
from wikiapi.wikitext.expand.strip import outside_markers
from wikiapi.wikitext.syntax import trim


def escape_tags(text: str) -> str:
    """Return the text with its tags escaped; character references keep their meaning."""
    return text.replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def nowiki(call: TagCall) -> Expansion:
    """Return the unchanged content."""
    text = (call.inner or "").replace("-{", "-&#123;").replace("}-", "&#125;-")
    return Expansion(outside_markers(escape_tags, text), nowiki=True)


DECLARATION = ExtensionTag("nowiki", nowiki)


# One that is not closed takes the rest, which is left as it is: no other is looked for in it.
_NOWIKI = re.compile(r"<nowiki>(.*?)</nowiki>|(<nowiki>.*+)", re.DOTALL)


def pre(call: TagCall) -> str:
    """Return a ``<pre>`` element; ``<nowiki>`` inside it is dropped."""
    text = _NOWIKI.sub(r"\1\2", call.inner or "")
    attributes = encode_attributes(checked_attributes(call.attributes, "pre"))
    text = text.replace("<", "&lt;").replace(">", "&gt;")
    text = text.replace("-{", "-&#123;").replace("}-", "&#125;-")
    return f"<pre{attributes}>{text}</pre>"


PRE = ExtensionTag("pre", pre)


def indicator(call: TagCall) -> str:
    """Keep the content apart; a name is needed."""
    name = trim(call.attributes.get("name", ""))
    if not name:
        return f'<span class="error">{call.state.messages.text("invalid-indicator-name")}</span>'
    html = finish_fragment(trim(call.parse(call.inner or "")), call.state)
    call.state.budget.keep(html)
    call.state.output.indicators[name] = html
    return ""


INDICATOR = ExtensionTag("indicator", indicator)
