"""Normalising character references, and escaping text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape
from html.entities import html5

from wikiapi.title.references import (
    ALIASES,
    REFERENCE,
    codepoint,
    is_valid_codepoint,
)

_KEPT = {"lt", "gt", "amp", "quot"}
_UNUSUAL = re.compile(
    r"&(?!(?:lt|gt|amp|quot|#160|#39|#58|#9[135]|#12[345]);)" + REFERENCE.pattern.removeprefix("&")
)
"""Matches references, except frequent ones that the parser itself writes in normal form."""


def normalise_references(text: str) -> str:
    """Return the text with valid references in normal form, and any other ``&`` escaped."""
    return _UNUSUAL.sub(_normalised, text) if "&" in text else text


def _normalised(match: re.Match[str]) -> str:
    name, decimal, hexadecimal = match.groups()
    if name:
        name = ALIASES.get(name, name)
        if name in _KEPT:
            return f"&{name};"
        text = html5.get(f"{name};")
        if text is None:
            return f"&amp;{name};"
        return "".join(f"&#{ord(character)};" for character in text)
    number = codepoint(decimal, hexadecimal)
    if not is_valid_codepoint(number):
        return "&amp;" + match[0][1:]
    return f"&#x{number:x};" if hexadecimal else f"&#{number};"


def escape_text(text: str) -> str:
    """Return text as HTML content."""
    return escape(text, quote=False)


def escape_all(text: str) -> str:
    """Return text with both kinds of quotes escaped as in PHP: ``&quot;`` and ``&#039;``."""
    return escape(text).replace("&#x27;", "&#039;")


def escape_attribute(text: str) -> str:
    """Return text as a double-quoted attribute value, on one line."""
    return (
        text.replace("&", "&amp;")
        .replace('"', "&quot;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\n", "&#10;")
        .replace("\r", "&#13;")
        .replace("\t", "&#9;")
    )


def finished_attributes(attributes: Mapping[str, str]) -> str:
    """Return attributes for a tag of finished HTML, which no later stage reads."""
    return "".join(f' {name}="{escape_attribute(value)}"' for name, value in attributes.items())


def serialized_attributes(attributes: Mapping[str, str]) -> str:
    """Return attributes for HTML within an attribute, in the quotes that occur in them less."""
    return "".join(f" {name}={quoted(value)}" for name, value in attributes.items())


def quoted(value: str) -> str:
    """Return the value of such an attribute, in quotes."""
    text = value.replace("&", "&amp;").replace("<", "&lt;")
    if text.count('"') > text.count("'"):
        return "'" + text.replace("'", "&apos;") + "'"
    return '"' + text.replace('"', "&quot;") + '"'
