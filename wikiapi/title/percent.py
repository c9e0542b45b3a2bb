"""Percent-encoding of page names."""

from __future__ import annotations

import re
from collections.abc import Callable


def percent_encoder(safe: str) -> Callable[[str], str]:
    """Return a function that encodes like ``urllib.parse.quote`` with the ``safe`` characters.

    It is faster for non-ASCII names, because it encodes runs of characters, not single bytes. It
    raises UnicodeEncodeError for lone surrogates.
    """
    unsafe = re.compile(f"[^A-Za-z0-9_.~{re.escape(safe)}-]+")

    def encode(text: str) -> str:
        return unsafe.sub(_encoded, text)

    return encode


def _encoded(run: re.Match[str]) -> str:
    return "%" + run[0].encode().hex("%").upper()


quote_title = percent_encoder("!$()*,/:;@")
"""Returns a page name in the form in which MediaWiki writes it in URL paths."""
