"""Localised names of magic words: a file ``<code>.json`` for each content language.

Each file maps the names in the declarations, such as ``PAGENAME``, ``#if`` or ``notoc``, to lists
of additional names. A language without a file uses that of its fallback language.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Protocol, TypeVar

from wikiapi.i18n.catalog import fallback_chain


class _Word(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def aliases(self) -> tuple[str, ...]: ...


Word = TypeVar("Word", bound=_Word)


@cache
def names_in(language: str) -> Mapping[str, tuple[str, ...]]:
    """Return the additional names in a language, by declared name."""
    folder = resources.files(__name__)
    for code in fallback_chain(language):
        file = folder / f"{code}.json"
        if file.is_file():
            listed: dict[str, list[str]] = json.loads(file.read_text("utf-8"))
            return MappingProxyType({name: tuple(names) for name, names in listed.items()})
    return MappingProxyType({})


def localized(words: Iterable[Word], language: str) -> list[Word]:
    """Return the declarations with the additional names in a language as aliases."""
    names = names_in(language)
    return [
        replace(word, aliases=(*word.aliases, *names[word.name]))  # type: ignore[type-var]
        if word.name in names
        else word
        for word in words
    ]
