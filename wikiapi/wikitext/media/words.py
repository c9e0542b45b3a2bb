"""The words for image options, by content language.

Each ``<language>.json`` beside this file maps MediaWiki's names of the options to their words, in
the order in which they are tried; ``$1`` stands for a value. English words work in every wiki.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from importlib import resources
from typing import NamedTuple

_ENGLISH = "en"
_VALUE = "$1"


class Found(NamedTuple):
    """The name of an option, and its value if it has one."""

    name: str
    value: str | None


class _Pattern(NamedTuple):
    name: str
    before: str
    after: str


class MediaWords:
    """Finds image options by their words."""

    def __init__(self, words: Mapping[str, Sequence[str]]) -> None:
        """Prepare the words of each option, in which ``$1`` stands for its value."""
        self._literals: dict[str, str] = {}
        self._patterns: list[_Pattern] = []
        for name, spellings in words.items():
            for spelling in spellings:
                before, mark, after = spelling.partition(_VALUE)
                if mark:
                    self._patterns.append(_Pattern(name, before, after))
                else:
                    self._literals.setdefault(spelling, name)

    @classmethod
    def load(cls, language: str) -> MediaWords:
        """Return an object that knows the words of a content language and the English ones."""
        words = _read(_ENGLISH)
        if language != _ENGLISH:
            own = _read(language)
            words = {name: [*own.get(name, ()), *words[name]] for name in words}
        return cls(words)

    def find(self, text: str, among: Collection[str]) -> Found | None:
        """Return the option in ``among`` that a text is, or ``None``. Values do not span lines."""
        literal = self._literals.get(text)
        if literal is not None and literal in among:
            return Found(literal, None)
        if "\n" in text:
            return None
        for name, before, after in self._patterns:
            if name in among and text.startswith(before) and text.endswith(after):
                value = text[len(before) : len(text) - len(after)]
                if len(text) >= len(before) + len(after):
                    return Found(name, value)
        return None


def _read(language: str) -> dict[str, list[str]]:
    file = resources.files("wikiapi.wikitext.media").joinpath(f"{language}.json")
    return json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
