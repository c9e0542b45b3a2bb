"""Ids of elements, for headings and ``id`` attributes."""

from __future__ import annotations

import re
from urllib.parse import quote

from wikiapi.title.codec import TITLE_SPACE

_BLANKS = re.compile(r"[\t\n\f\r ]+")
_BIDI_MARKS = re.compile("[\u200e\u200f\u202a-\u202e]+")


def section_name(text: str) -> str:
    """Return a heading's text as the fragment of a title: with single spaces, none at the end."""
    return TITLE_SPACE.sub(" ", _BIDI_MARKS.sub("", text)).rstrip(" ")


def escape_id(text: str) -> str:
    """Return an id for HTML: blanks become underscores, everything else is unchanged."""
    return _BLANKS.sub("_", text)


def escape_id_for_link(text: str) -> str:
    """Return the id as the fragment of a URL; a ``%`` that looks like an escape is escaped."""
    return re.sub(r"%(?=[0-9A-Fa-f]{2})", "%25", escape_id(text))


def escape_id_legacy(text: str) -> str:
    """Return the id in the legacy encoding, which external links may still use."""
    encoded = quote(text.replace(" ", "_"), safe="-_.:").replace("~", "%7E")
    return encoded.replace("%", ".")
