"""Spaces that must not break: before the punctuation that French sets apart."""

from __future__ import annotations

import re

_BEFORE = re.compile(r" (?=[?:;!%»›](?!\w))")
_AFTER = re.compile(r"([«‹]) ")
_IMPORTANT = re.compile(r"&#160;(!\s*important)")
_TAG = re.compile(r"(<[^<>]*>)")
_NBSP = "&#160;"


def armour_french_spaces(text: str) -> str:
    """The text with such spaces made non-breaking, tags left alone."""
    if not _BEFORE.search(text) and not _AFTER.search(text):
        return text
    pieces = _TAG.split(text)
    pieces[::2] = [_AFTER.sub(rf"\1{_NBSP}", _BEFORE.sub(_NBSP, piece)) for piece in pieces[::2]]
    return _IMPORTANT.sub(r" \1", "".join(pieces))
