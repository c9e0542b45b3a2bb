"""Non-breaking spaces before punctuation that French separates by a space."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_SPACE = re.compile(r" (?:(?=[?:;!%»›](?!\w))|(?<=[«‹] ))")
_IMPORTANT = re.compile(r"&#160;(!\s*important)")
_BRACKET = re.compile(r"[<>]")
_NBSP = "&#160;"


def armour_french_spaces(text: str, space: str = _NBSP) -> str:
    """Return the text with ``space`` for spaces next to ``? : ; ! % « »``, except in tags."""
    spaces = [match.start() for match in _SPACE.finditer(text)]
    if not spaces:
        return text
    out: list[str] = []
    done = 0
    for position in _outside_tags(text, spaces):
        out += (text[done:position], space)
        done = position + 1
    return _IMPORTANT.sub(r" \1", "".join([*out, text[done:]]))


_PRE = re.compile(r"(</?pre\b)", re.IGNORECASE)


def armour_outside_pre(text: str, space: str) -> str:
    """Return the text like :func:`armour_french_spaces`, with ``<pre>`` elements unchanged."""
    if not _SPACE.search(text):
        return text
    pieces = _PRE.split(text)
    depth = 0
    for at in range(0, len(pieces), 2):
        if at:
            depth = max(0, depth - 1) if pieces[at - 1][1] == "/" else depth + 1
        if not depth:
            pieces[at] = armour_french_spaces(pieces[at], space)
    return "".join(pieces)


def _outside_tags(text: str, positions: Iterable[int]) -> Iterator[int]:
    """Yield those of the ascending positions that are outside ``<...>``.

    There are few positions and many tags, so this searches only for the brackets around each
    position, and no part of the text twice.
    """
    following = 0
    """The position of the first bracket after the last position."""
    is_open = False
    for position in positions:
        if following <= position:
            opening = text.rfind("<", following, position)
            is_open = opening > text.rfind(">", following, position)
            bracket = _BRACKET.search(text, position)
            following = bracket.start() if bracket else len(text)
        if not is_open or text[following : following + 1] != ">":
            yield position
