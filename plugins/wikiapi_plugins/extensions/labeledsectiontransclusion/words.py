"""The words that mark sections, in English and in some content languages."""

from __future__ import annotations

from types import MappingProxyType
from typing import NamedTuple


class Words(NamedTuple):
    """Names of the tag, and of its attributes for the beginning and end of a section."""

    tags: tuple[str, ...]
    begin: tuple[str, ...]
    end: tuple[str, ...]


_ENGLISH = Words(("section",), ("begin",), ("end",))
_LOCAL = MappingProxyType(
    {
        "de": Words(("abschnitt",), ("anfang",), ("ende",)),
        "he": Words(("קטע",), ("התחלה",), ("סוף",)),
        "pt": Words(("trecho",), ("começo",), ("fim",)),
    }
)


def words_of(language: str) -> Words:
    """Return the English words, and those of the wiki's content language if there are any."""
    local = _LOCAL.get(language.partition("-")[0])
    if local is None:
        return _ENGLISH
    return Words(*(one + other for one, other in zip(_ENGLISH, local, strict=True)))
