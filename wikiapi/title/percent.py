"""Percent-encoding of names, in which letters beyond ASCII stand side by side."""

from __future__ import annotations

import re
from collections.abc import Callable


def percent_encoder(safe: str) -> Callable[[str], str]:
    """Return a function that encodes like ``urllib.parse.quote`` with these characters unchanged.

    A page may have a thousand links: this takes whole runs of what is to be encoded, where
    ``quote`` takes byte after byte. Raises UnicodeEncodeError for lone surrogates.
    """
    unsafe = re.compile(f"[^A-Za-z0-9_.~{re.escape(safe)}-]+")

    def encode(text: str) -> str:
        return unsafe.sub(_encoded, text)

    return encode


def _encoded(run: re.Match[str]) -> str:
    return "%" + run[0].encode().hex("%").upper()


quote_title = percent_encoder("!$()*,/:;@")
"""Gives a page name as MediaWiki writes it in a URL path."""
