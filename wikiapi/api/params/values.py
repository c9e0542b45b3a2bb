"""Raw request texts: splitting several values, and checking the characters of each."""

from __future__ import annotations

import re
import unicodedata

SEPARATOR = "\x1f"
"""In front of a value it separates the values in place of ``|``."""

_UNWANTED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
REPLACEMENT = "\ufffd"


def clean(raw: str) -> tuple[str, bool]:
    """A text in NFC without control characters, and whether it had to be changed."""
    if raw.isascii():
        if raw.isprintable():  # as most are
            return raw, False
        changed = _UNWANTED.sub(REPLACEMENT, raw)
    else:
        changed = unicodedata.normalize("NFC", _UNWANTED.sub(REPLACEMENT, raw))
    return changed, changed != raw


def clean_multi(raw: str) -> tuple[str, bool]:
    """Like :func:`clean` for several values: a separator in front, and between them, stays."""
    if not raw.startswith(SEPARATOR):
        return clean(raw)
    parts = [clean(part) for part in raw.split(SEPARATOR)]
    return SEPARATOR.join(part for part, _ in parts), any(changed for _, changed in parts)


def split(raw: str, limit: int) -> list[str]:
    """The values in a text, at most one more than ``limit``; an empty text holds none."""
    if raw.startswith(SEPARATOR):
        return raw[1:].split(SEPARATOR, limit)
    return raw.split("|", limit) if raw else []
