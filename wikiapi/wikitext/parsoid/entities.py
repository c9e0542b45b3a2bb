"""Character references in the text of a page, which Parsoid's HTML shows as elements.

The parser itself also writes references, for characters that must not become markup. For Parsoid's
HTML it writes them in a form that hardly any page uses, with a leading zero.
"""

from __future__ import annotations

import re
from html.entities import html5

from wikiapi.title.references import (
    ALIASES,
    REFERENCE,
    codepoint,
    decode_references,
    is_valid_codepoint,
)
from wikiapi.wikitext.html.sanitizer import Escapes

OWN_ESCAPES = Escapes("&#060;", "&#062;")
BRACKETS = "&#091;&#091;"
"""Brackets that begin no link."""
_AMPERSAND = "&#038;"
_OPENING, _CLOSING = '<span typeof="mw:Entity">', "</span>"
_ELEMENT = re.compile(f"{_OPENING}([^<>]*+){_CLOSING}")
_OWN = "|".join((*OWN_ESCAPES, _AMPERSAND, "&#091;", "&#58;(?=//)"))
_REFERENCE = re.compile(rf"{_OWN}|(?P<written>{REFERENCE.pattern})")


def mark_entities(html: str) -> str:
    """Return half-parsed HTML in which the references of the page's source are elements."""
    if "&" not in html:
        return html
    # Most references are in tags, such as "&amp;" in addresses, and are not to be read.
    before, *pieces = html.split("<")
    for index, piece in enumerate(pieces):
        if "&" in piece and not piece.startswith(_OPENING[1:]):
            start = piece.find(">") + 1
            if "&" in (text := piece[start:]):
                pieces[index] = piece[:start] + _REFERENCE.sub(_marked, text)
    return "<".join([_REFERENCE.sub(_marked, before), *pieces])


def _marked(match: re.Match[str]) -> str:
    """Return a reference as an element if it stands for a character."""
    written, name, decimal, hexadecimal = match.groups()
    if written is None:
        return match[0]
    if name:
        is_valid = f"{ALIASES.get(name, name)};" in html5
    else:
        is_valid = is_valid_codepoint(codepoint(decimal, hexadecimal))
    return f"{_OPENING}{written}{_CLOSING}" if is_valid else written


def own_references(text: str) -> str:
    """Return plain text as HTML, with references that are not those of the page's source."""
    return _without_brackets(text.replace("&", _AMPERSAND))


def _without_brackets(text: str) -> str:
    return text.replace("<", OWN_ESCAPES.less).replace(">", OWN_ESCAPES.greater)


def target_label(target: str) -> str:
    """Return the label of a link that has none: its target, with its references decoded."""
    return own_references(decode_references(target))


NOWIKI = "mw:Nowiki"
_NOWIKI_ELEMENT = re.compile(
    rf'<span typeof="{NOWIKI}">((?:[^<]++|{_OPENING}[^<>]*+{_CLOSING})*+){_CLOSING}'
)


def nowiki_element(text: str, *, has_entities: bool) -> str:
    """Return the element for the text in ``<nowiki>``.

    ``has_entities`` says whether its references are elements, too; those from calls are not.
    """
    html = _without_brackets(text)
    return f'<span typeof="{NOWIKI}">{mark_entities(html) if has_entities else html}{_CLOSING}'


def without_entities(html: str) -> str:
    """Return a text without the elements for references and ``<nowiki>``, for attributes."""
    if "<span" not in html:
        return html
    return _ELEMENT.sub(r"\1", _NOWIKI_ELEMENT.sub(r"\1", html))
