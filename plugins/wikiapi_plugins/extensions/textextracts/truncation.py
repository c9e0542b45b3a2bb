"""The beginning of an extract: so many characters or sentences."""

from __future__ import annotations

import re
import unicodedata

from wikiapi.wikitext.html.tidy import tidy

ELLIPSIS = "..."
_REST_OF_WORD = re.compile(r"[\w/]*>?")
_END = re.compile(r"[.!?](?=[ \n]|\Z)|[。．！？｡]")
_UPPERCASE = "Lu"
_BLANKS = " \t\n\r\0\x0b"


def first_characters(text: str, count: int, *, plain: bool) -> str:
    """At least so many characters, up to the end of a word or tag; dots show that more follows."""
    if len(text) <= count:
        return text
    match = _REST_OF_WORD.match(text, count)
    end = match.end() if match else count
    return text if end == len(text) else _balanced(text[:end], plain=plain) + ELLIPSIS


def first_sentences(text: str, count: int, *, plain: bool) -> str:
    """So many sentences, or all that are complete; the first line where none is.

    A full stop behind a capital is taken for an abbreviation.
    """
    end = 0
    for match in _END.finditer(text):
        if _is_abbreviation(text, match):
            continue
        if match.start() != end or not end:
            if not count:
                break
            count -= 1
        end = match.end()
    if not end:
        return text.partition("\n")[0].strip(_BLANKS)
    return _balanced(text[:end], plain=plain)


def _is_abbreviation(text: str, match: re.Match[str]) -> bool:
    if match[0] != ".":
        return False
    before = match.start() - 1
    return before < 0 or unicodedata.category(text[before]) == _UPPERCASE


def _balanced(text: str, *, plain: bool) -> str:
    return (text if plain else tidy(text)).strip(_BLANKS)
