"""The words of wikitext in the language of a wiki: ``#REDIRECT``, ``thumb``, ``__NOTOC__``.

``magicwords.json`` has the English words in MediaWiki's order. Each magic word has a name and,
after whether the case of letters counts, its words. English words work in every language.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import resources
from typing import Any

from wikiapi.languages.language import MagicWord, language


class MagicWords(Mapping[str, MagicWord]):
    """The magic words of a language by MediaWiki's names, in its order."""

    def __init__(self, code: str) -> None:
        """Take the words of the language, and the English ones for those that it does not have."""
        english, own = _english(), language(code).magic_words
        self.is_english = not own
        self._words = {**own, **{name: english[name] for name in english if name not in own}}
        self._lookups: dict[str, frozenset[str]] = {}

    def __getitem__(self, name: str) -> MagicWord:
        """Return a magic word by its name."""
        return self._words[name]

    def __iter__(self) -> Iterator[str]:
        """Yield the names of all magic words."""
        return iter(self._words)

    def __len__(self) -> int:
        """Return the number of magic words."""
        return len(self._words)

    def matches(self, name: str, text: str) -> bool:
        """Return whether a text is one of the words of a magic word."""
        word = self._words[name]
        words = self._lookups.get(name)
        if words is None:
            words = frozenset(word.words if word.case_sensitive else map(str.lower, word.words))
            self._lookups[name] = words
        return (text if word.case_sensitive else text.lower()) in words

    def which(self, names: Iterable[str], text: str) -> str | None:
        """Return the first of these magic words that a text is one of the words of."""
        return next((name for name in names if self.matches(name, text)), None)

    def pattern(self, name: str) -> str:
        """Return the source of a regular expression that matches the words of a magic word."""
        word = self._words[name]
        alternatives = "|".join(map(re.escape, sorted(word.words, key=len, reverse=True)))
        return f"(?:{alternatives})" if word.case_sensitive else f"(?i:{alternatives})"

    def local(self, name: str) -> MagicWord | None:
        """Return a magic word if the language has own words for it, by its name in any case."""
        return None if self.is_english else self._words.get(name.lower())


@cache
def _english() -> Mapping[str, MagicWord]:
    source = (resources.files(__package__) / "magicwords.json").read_text("utf-8")
    listed: dict[str, list[Any]] = json.loads(source)
    return {name: MagicWord(bool(word[0]), tuple(word[1:])) for name, word in listed.items()}
