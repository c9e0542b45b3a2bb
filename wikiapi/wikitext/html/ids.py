"""Ids of elements, as headings and ``id`` attributes get them."""

from __future__ import annotations

import re
from urllib.parse import quote

_BLANKS = re.compile(r"[\t\n\f\r ]+")


def escape_id(text: str) -> str:
    """An id for HTML: blanks become underscores, everything else stays."""
    return _BLANKS.sub("_", text)


def escape_id_for_link(text: str) -> str:
    """The id as it stands behind a ``#``; a ``%`` that would read as an escape is escaped."""
    return re.sub(r"%(?=[0-9A-Fa-f]{2})", "%25", escape_id(text))


def escape_id_legacy(text: str) -> str:
    """The id in the encoding of old: what external links may still use."""
    encoded = quote(escape_id(text), safe="-_.:").replace("~", "%7E")
    return encoded.replace("%", ".")
