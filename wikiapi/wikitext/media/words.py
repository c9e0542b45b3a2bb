"""The words for image options in the content language; ``$1`` in a word stands for a value."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from wikiapi.languages.language import MagicWord

_OPTION = "img_"
_VALUE = "$1"


class NamedOption(NamedTuple):
    """The name of an option, and its value if it has one."""

    name: str
    value: str | None


class _Pattern(NamedTuple):
    name: str
    before: str
    after: str


class MediaWords:
    """Finds image options by their words."""

    def __init__(self, words: Mapping[str, MagicWord]) -> None:
        """Prepare the words of each option."""
        self._literals: dict[str, str] = {}
        self._patterns: list[_Pattern] = []
        for name in sorted(words):
            for spelling in words[name].words if name.startswith(_OPTION) else ():
                before, mark, after = spelling.partition(_VALUE)
                if mark:
                    self._patterns.append(_Pattern(name, before, after))
                else:
                    self._literals.setdefault(spelling, name)

    def find(self, text: str, among: Collection[str]) -> NamedOption | None:
        """Return the option in ``among`` that a text is, or ``None``. Values do not span lines."""
        literal = self._literals.get(text)
        if literal is not None and literal in among:
            return NamedOption(literal, None)
        if "\n" in text:
            return None
        for name, before, after in self._patterns:
            if name in among and text.startswith(before) and text.endswith(after):
                value = text[len(before) : len(text) - len(after)]
                if len(text) >= len(before) + len(after):
                    return NamedOption(name, value)
        return None
