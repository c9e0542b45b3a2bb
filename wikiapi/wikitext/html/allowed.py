"""The HTML that is allowed in wikitext: elements, and attributes by element."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType


def words(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(text.split())


PAIRED = words(
    """
    b bdi bdo del i ins u font big small sub sup h1 h2 h3 h4 h5 h6 cite code em s strike
    strong tt var div center blockquote ol ul dl table caption pre ruby rb rp rt rtc p span
    abbr dfn kbd samp data time mark q tr td th li dt dd
    """
)
"""Elements with a closing tag."""
VOID = words("br wbr hr meta link")
"""Elements without a closing tag."""
ELEMENTS = PAIRED | VOID

INLINE = words(
    """
    a abbr acronym applet b basefont bdi bdo big br button cite code data del dfn em font i iframe
    img input ins kbd label legend map mark object param q rb rbc rp rt rtc ruby s samp select small
    span strike strong sub sup textarea time tt u var wbr video audio
    """
)
"""Elements that belong in a paragraph, whether or not they are allowed in wikitext."""
FORMATTING = words("a b big code em font i nobr s small strike strong tt u")
"""Formatting elements of the HTML standard, which a tree builder reopens after misnested tags."""

COMMON = words(
    """
    id class style lang dir title tabindex aria-describedby aria-flowto aria-hidden aria-label
    aria-labelledby aria-level aria-owns role about property resource datatype typeof itemid
    itemprop itemref itemscope itemtype
    """
)
_BLOCK = COMMON | {"align"}
_CELLS = frozenset({"align", "valign"})
_CELL = (
    COMMON | _CELLS | words("abbr axis headers scope rowspan colspan nowrap width height bgcolor")
)
_QUOTE = COMMON | {"cite"}
_EDIT = COMMON | {"cite", "datetime"}
_COLUMN = COMMON | _CELLS | {"span", "width"}

ATTRIBUTES: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        **dict.fromkeys(("div", "h1", "h2", "h3", "h4", "h5", "h6", "p", "caption"), _BLOCK),
        **dict.fromkeys(("blockquote", "q"), _QUOTE),
        **dict.fromkeys(("ins", "del"), _EDIT),
        **dict.fromkeys(("td", "th"), _CELL),
        **dict.fromkeys(("thead", "tbody", "tfoot"), COMMON | _CELLS),
        **dict.fromkeys(("col", "colgroup"), _COLUMN),
        "br": COMMON | {"clear"},
        "pre": COMMON | {"width"},
        "ul": COMMON | {"type"},
        "ol": COMMON | {"type", "start", "reversed"},
        "li": COMMON | {"type", "value"},
        "table": COMMON
        | words("summary width border frame rules cellspacing cellpadding align bgcolor"),
        "tr": COMMON | _CELLS | {"bgcolor"},
        "font": COMMON | {"size", "color", "face"},
        "hr": COMMON | {"width"},
        "a": COMMON | {"href", "rel", "rev"},
        "img": COMMON | words("alt src width height srcset"),
        "data": COMMON | {"value"},
        "time": COMMON | {"datetime"},
        "meta": frozenset({"itemprop", "content"}),
        "link": frozenset({"itemprop", "href", "title"}),
    }
)
