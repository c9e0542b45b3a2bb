"""The sanitiser of HTML tags: keeps allowed ones with safe attributes, and escapes others."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from wikiapi.title.fragments import USUAL, Fragments
from wikiapi.wikitext.html.allowed import ELEMENTS, PAIRED, VOID
from wikiapi.wikitext.html.attributes import decode_attributes, fixed_attributes
from wikiapi.wikitext.protocols import USUAL_PROTOCOLS, Protocols

if TYPE_CHECKING:
    from wikiapi.wikitext.unknown import UnknownNames

_TAG = re.compile(r"<(/?)([A-Za-z][^\t\n\v />\0<]*+)([^<>]*?)(/?)>")
_NEEDED = {"meta": {"itemprop", "content"}, "link": {"itemprop", "href"}}


class Escapes(NamedTuple):
    """The character references for the brackets of tags."""

    less: str
    greater: str


ESCAPES = Escapes("&lt;", "&gt;")


def sanitize_tags(
    text: str,
    extra: frozenset[str] = frozenset(),
    finish: Callable[[str], str] = str,
    unknown: UnknownNames | None = None,
    fragments: Fragments = USUAL,
    protocols: Protocols = USUAL_PROTOCOLS,
    escapes: Escapes = ESCAPES,
    *,
    closes_empty: bool = False,
) -> str:
    """Return the text with only safe tags; those that are not allowed are escaped.

    Args:
        text: wikitext after expansion.
        extra: elements that are allowed in addition.
        finish: expands the attributes of a tag, and replaces strip markers in them.
        unknown: records the tags that are not allowed.
        fragments: how to spell ids.
        protocols: the protocols of addresses in attributes.
        escapes: what to write for ``<`` and ``>`` that are not those of safe tags.
        closes_empty: whether a tag such as ``<div/>`` also closes its element.
    """
    if "<" not in text:
        return text.replace(">", escapes.greater)
    out: list[str] = []
    position = 0
    for match in _TAG.finditer(text):
        tag = _checked(match, extra, finish, fragments, protocols)
        if tag is not None:
            if closes_empty and match[4] and not match[1] and not tag.endswith("/>"):
                tag += f"</{match[2].lower()}>"
            out += (_escaped(text[position : match.start()], escapes), tag)
            position = match.end()
        elif unknown is not None:
            slash, name, _, closing = match.groups()
            unknown.note_tag(name, opens=not slash, closes=bool(slash or closing))
    out.append(_escaped(text[position:], escapes))
    return "".join(out)


def _escaped(text: str, escapes: Escapes) -> str:
    return text.replace("<", escapes.less).replace(">", escapes.greater)


def _checked(
    match: re.Match[str],
    extra: frozenset[str],
    finish: Callable[[str], str],
    fragments: Fragments,
    protocols: Protocols,
) -> str | None:
    slash, name, attributes, closing = match.groups()
    name = name.lower()
    if name not in ELEMENTS and name not in extra:
        return None
    if slash:
        return f"</{name}>" if name in PAIRED or name in extra or name in VOID else None
    attributes = finish(attributes)
    if name in _NEEDED and not decode_attributes(attributes).keys() >= _NEEDED[name]:
        return None
    checked = fixed_attributes(attributes, name, fragments.mode, protocols)
    return f"<{name}{checked}{' /' if closing and name in VOID else ''}>"
