"""How similar the title of a page is to the words of a query."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from wikiapi.languages import is_known_language
from wikiapi.store.queries.search import Term, words

_CAMEL = re.compile(r"(?<=[^\W\d_])(?=[A-Z][a-z])")
"""The positions between the words of a CamelCase name (``LinearPattern``)."""
_LEAST_STEM = 3
_LONGEST_ENDING = 3
_SAME_PHRASE, _SAME_WORDS = 0.2, 0.5
"""How much a title gains that contains the query, or is it with other endings."""
_OTHER_ENDING, _SAME_BEGINNING = 0.9, 0.8
"""How similar words with different endings are, the second if another word is as likely."""
_INFLECTION = 2
"""The longest ending of which one may assume that it only inflects a word."""
_LAST_PART = 0.95
"""The value of the last part of ``Manual/Sails`` for a query, relative to that of a whole title."""


def wider(term: Term, *, is_alone: bool = False) -> Term:
    """Return a term that also matches other endings; phrases and short words are not changed.

    A word of three letters is short beside others, of which it may be an article or a preposition.
    """
    shortest = _LEAST_STEM if is_alone else _LEAST_STEM + 1
    if term.prefix or len(words(term.text)) != 1 or len(term.text) < shortest:
        return term
    return Term(_stem(term.text), prefix=True)


def beginning(term: Term) -> Term:
    """Return a term that matches words with the same beginning, if nothing else is found."""
    other = wider(term)
    length = max(_LEAST_STEM + 1, 2 * len(term.text) // 3)
    return other if other == term else Term(term.text[:length], prefix=True)


_ENDINGS = ("ies", "ing", "ed", "es", "s", "y")
"""Endings with and without which a word is searched for; the longest that fits is removed."""
_LEAST_STEMS = {"ies": 3, "s": 3, "y": 4}
"""The least number of letters before an ending; 4 before the others."""


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        least = _LEAST_STEMS.get(ending, 4)
        if word.endswith(ending) and len(word) - len(ending) >= least and not word.endswith("ss"):
            return word.removesuffix(ending)
    return word


def title_value(query_words: Sequence[str], title: str) -> float:
    """Return how similar a title is to the words of a query, from 0 to 1.5.

    The last part of a title with slashes counts as a name, unless it is the code of a language:
    of ``Manual/Sails/de``, this is *Sails*.
    """
    text, _ = split_language(title.replace("_", " "))
    whole = max(_nearness(query_words, named) for named in _spellings(text))
    last = text.rpartition("/")[2]
    if last == text:
        return whole
    part = max(_nearness(query_words, named) for named in _spellings(last))
    return max(whole, _LAST_PART * part)


def split_language(title: str) -> tuple[str, str]:
    """Return a title without the language code after its last slash, and that code, or ``""``."""
    name, slash, code = title.rpartition("/")
    return (name, code) if slash and name and is_known_language(code) else (title, "")


def _spellings(text: str) -> Iterator[list[str]]:
    yield words(text)
    yield words(_CAMEL.sub(" ", text))


def _nearness(query_words: Sequence[str], title_words: Sequence[str]) -> float:
    """Return how similar two lists of words are; long words count more than short ones."""
    if not query_words or not title_words:
        return 0.0
    alike = [(word, max(_likeness(word, other) for other in title_words)) for word in query_words]
    weights = sum(len(word) ** 2 for word in query_words)
    covered = sum(len(word) ** 2 * value for word, value in alike) / weights
    only = min(1.0, sum(value for _, value in alike) / len(title_words))
    is_phrase = f" {' '.join(query_words)} " in f" {' '.join(title_words)} "
    is_same = len(query_words) == len(title_words) and all(
        _likeness(*pair) >= _OTHER_ENDING for pair in zip(query_words, title_words, strict=True)
    )
    bonus = _SAME_PHRASE if is_phrase else _SAME_WORDS if is_same else 0.0
    return float(covered**1.5) * (0.6 + 0.4 * only) + bonus


def _likeness(word: str, other: str) -> float:
    """Return 1 for equal words, less for other endings of a word, and 0 for different words."""
    if word == other:
        return 1.0
    stems = sorted((_stem(word), _stem(other)), key=len)
    if stems[0] == stems[1]:
        return _OTHER_ENDING
    short, long = sorted((word, other), key=len)
    stem = stems[0] if short.startswith(stems[0]) else short
    ending = len(long) - len(stem)
    if len(stem) < _LEAST_STEM or not long.startswith(stem) or ending > _LONGEST_ENDING:
        return 0.0
    is_inflected = len(stem) > _LEAST_STEM and ending <= _INFLECTION
    return _OTHER_ENDING if is_inflected else _SAME_BEGINNING
