"""Character references in the text of a page, which Parsoid's HTML shows as elements.

The parser itself also writes references, for characters that must not become markup. For Parsoid's
HTML it writes them in a form that hardly any page uses, with a leading zero.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html.entities import html5

from wikiapi.title.references import (
    ALIASES,
    REFERENCE,
    codepoint,
    decode_references,
    is_valid_codepoint,
)
from wikiapi.wikitext.expand.strip import MARKER
from wikiapi.wikitext.html.sanitizer import Escapes

OWN_ESCAPES = Escapes("&#060;", "&#062;")
BRACKETS = "&#091;&#091;"
"""Brackets that begin no link."""
_AMPERSAND = "&#038;"
_OPENING, _CLOSING = '<span typeof="mw:Entity">', "</span>"
_ELEMENT = re.compile(f"{_OPENING}([^<>]*+){_CLOSING}")
_OWN = "|".join((*OWN_ESCAPES, _AMPERSAND, "&#091;", "&#58;(?=//)"))
_TOKEN = re.compile(
    rf"{_ELEMENT.pattern.replace('(', '(?:')}|(?:<(?!span typeof)[^<>]*+>[^<>&\x7f]*+)++|<[^<>]*+>"
    rf"|{MARKER.pattern}|{_OWN}"
    rf"|(?P<written>{REFERENCE.pattern})"
)


def mark_entities(html: str, change_media: Callable[[str], None] | None = None) -> str:
    """Return half-parsed HTML in which the references of the page's source are elements.

    ``change_media`` is called with each strip marker, to process the captions of images likewise.
    """
    if "&" not in html:
        if change_media is not None and "\x7f" in html:
            for match in MARKER.finditer(html):
                change_media(match[0])
        return html

    def marked(match: re.Match[str]) -> str:
        text = match[0]
        if text.startswith("\x7f") and change_media is not None:
            change_media(text)
        written = match["written"]
        is_entity = written is not None and _is_valid(written)
        return f"{_OPENING}{text}{_CLOSING}" if is_entity else text

    return _TOKEN.sub(marked, html)


def _is_valid(reference: str) -> bool:
    match = REFERENCE.match(reference)
    if match is None:
        return False
    name, decimal, hexadecimal = match.groups()
    if name:
        return f"{ALIASES.get(name, name)};" in html5
    return bool(decimal or hexadecimal) and is_valid_codepoint(codepoint(decimal, hexadecimal))


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
