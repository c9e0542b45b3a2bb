"""``<nowiki>``, ``<pre>`` and ``<indicator>``."""

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
    """Return the text with its tags escaped, but not its character references."""
    return text.replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def nowiki(call: TagCall) -> Expansion:
    """Return the content as plain text."""
    text = (call.inner or "").replace("-{", "-&#123;").replace("}-", "&#125;-")
    return Expansion(outside_markers(escape_tags, text), nowiki=True)


DECLARATION = ExtensionTag("nowiki", nowiki)


# An unclosed <nowiki> matches the rest of the text, so that no further ones are searched for.
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
    """Add the content to the indicators of the page. Return "", or an error without a name."""
    name = trim(call.attributes.get("name", ""))
    if not name:
        return f'<span class="error">{call.state.messages.text("invalid-indicator-name")}</span>'
    html = finish_fragment(trim(call.parse(call.inner or "")), call.state)
    call.state.budget.keep(html)
    call.state.output.indicators[name] = html
    return ""


INDICATOR = ExtensionTag("indicator", indicator)
