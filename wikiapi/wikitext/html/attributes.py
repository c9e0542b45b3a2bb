"""Attributes of tags in wikitext: reading, checking and writing them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from wikiapi.memoize import memoize
from wikiapi.texts import trim
from wikiapi.title.fragments import USUAL, Fragments, fragments
from wikiapi.title.references import decode_references
from wikiapi.wikitext.html.allowed import ATTRIBUTES, COMMON
from wikiapi.wikitext.html.css import check_css
from wikiapi.wikitext.protocols import USUAL_PROTOCOLS, Protocols

_NAME_AND_VALUE = (
    r"""([:\w][:.\-\w]*)(?:[\t\n\f\r ]*=[\t\n\f\r ]*"""
    r"""(?:"([^"]*)(?:"|\Z)|'([^']*)(?:'|\Z)|([^\t\n\f\r >]*)))?"""
)
_ATTRIBUTE = re.compile(rf"(?:\A|[\t\n\f\r ]){_NAME_AND_VALUE}")
_ADJOINING = re.compile(_NAME_AND_VALUE)
"""Matches an attribute that follows the closing quote of the one before without a space."""
_SPACES = re.compile(r"[\t\r\n ]+")
_NAME = re.compile(r"[:_A-Za-z0-9][:_.\-A-Za-z0-9]*\Z")
_DATA = re.compile(r"data-(?!ooui|mw|parsoid)[^:]*\Z", re.IGNORECASE)
_NAMESPACE = re.compile(r"xmlns:[:A-Za-z_.0-9-]+\Z", re.IGNORECASE)
"""Matches attributes that declare a namespace for RDFa."""
_EVIL_URI = re.compile(r"(?:^|\s|\*/\s*)(?:javascript|vbscript)(?:[^\w]|\Z)", re.IGNORECASE)
_RDFA = frozenset(
    {"about", "property", "resource", "datatype", "typeof", "rel", "rev"}
    | {"itemid", "itemprop", "itemref", "itemscope", "itemtype"}
)
_ADDRESSES = frozenset({"href", "src", "poster"})
_ID_LISTS = frozenset(
    {"aria-describedby", "aria-flowto", "aria-labelledby", "aria-owns", "itemref", "headers"}
)
_ESCAPES = (
    *(('"', "&quot;"), ("<", "&lt;"), (">", "&gt;")),
    *(("\n", "&#10;"), ("\r", "&#13;"), ("\t", "&#9;")),
    *(("{", "&#123;"), ("}", "&#125;"), ("[", "&#91;"), ("]", "&#93;"), ("|", "&#124;")),
    ("__", "&#95;_"),
)
_MARKUP = re.compile("|".join(re.escape(markup) for markup in (*dict(_ESCAPES), "''")))
_QUOTES = re.compile("''+")


def decode_attributes(text: str) -> dict[str, str]:
    """Return values by lower-case name, with references decoded. Of duplicates, the last wins."""
    if not trim(text):
        return {}
    values: dict[str, str] = {}
    match = _ATTRIBUTE.search(text)
    while match:
        name, double, single, bare = match.groups(default="")
        value = trim(_SPACES.sub(" ", double or single or bare))
        values[name.lower()] = decode_references(value)
        is_quoted = match[2] is not None or match[3] is not None
        adjoining = _ADJOINING.match(text, match.end()) if is_quoted else None
        match = adjoining or _ATTRIBUTE.search(text, match.end())
    return values


def checked_attributes(
    attributes: Mapping[str, str],
    element: str,
    spelling: Fragments = USUAL,
    protocols: Protocols = USUAL_PROTOCOLS,
) -> dict[str, str]:
    """Return the attributes that the element may have, with values made safe.

    ``spelling`` is that of ids: the ``fragments`` of the rendering's state. ``protocols`` are those
    of addresses in attributes such as ``href``.
    """
    allowed = ATTRIBUTES.get(element, COMMON)
    checked: dict[str, str] = {}
    for name, value in attributes.items():
        if not (name in allowed or _DATA.match(name) or _NAMESPACE.match(name)):
            continue
        if not _NAME.match(name):
            continue
        safe = _checked_value(name, value, spelling, protocols)
        if safe is not None:
            checked[name] = safe
    if "itemscope" not in checked:
        for name in ("itemtype", "itemid", "itemref"):
            checked.pop(name, None)
    return checked


def _checked_value(name: str, value: str, spelling: Fragments, protocols: Protocols) -> str | None:
    if name == "style":
        return check_css(value)
    if name == "id":
        return spelling.id(value) or None
    if name in _ID_LISTS:
        return " ".join(map(spelling.id, value.split()))
    if name in _ADDRESSES:
        return value if protocols.url_start.match(value) else None
    if name == "tabindex":
        return value if value == "0" else None
    if (name in _RDFA or name.startswith("xmlns:")) and _EVIL_URI.search(value):
        return None
    return value


def fixed_attributes(
    text: str,
    element: str,
    mode: str = USUAL.mode,
    protocols: Protocols = USUAL_PROTOCOLS,
) -> str:
    """Return a tag's attribute text, checked and rewritten; it begins with a space unless empty.

    ``mode`` is that of the spelling of ids.
    """
    if protocols is USUAL_PROTOCOLS or _ADDRESSES.isdisjoint(ATTRIBUTES.get(element, ())):
        return _fixed_attributes(text, element, mode)
    attributes = decode_attributes(text)
    return encode_attributes(checked_attributes(attributes, element, fragments((mode,)), protocols))


@memoize(2048)
def _fixed_attributes(text: str, element: str, mode: str) -> str:
    """Return attributes whose addresses, if there are any, have the usual protocols.

    Results are cached, because most cells of a table or citations of a page have the same.
    """
    return encode_attributes(
        checked_attributes(decode_attributes(text), element, fragments((mode,)))
    )


def encode_attributes(attributes: Mapping[str, str]) -> str:
    """Return attributes for a tag, escaped so that no later stage finds markup in them."""
    return "".join(f' {name}="{encode_attribute(value)}"' for name, value in attributes.items())


def encode_attribute(value: str) -> str:
    """Return an attribute's value, escaped so that no later stage finds markup in it."""
    text = value.replace("&", "&amp;").replace("://", "&#58;//")
    # A page has thousands of values, nearly all of them, with URLs, without other markup.
    if not _MARKUP.search(text):
        return text
    for markup, reference in _ESCAPES:
        text = text.replace(markup, reference)
    return _QUOTES.sub(lambda quotes: "&#39;" * len(quotes[0]), text)
