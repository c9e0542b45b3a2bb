"""Corrects the spelling of words that no page contains, by the words in titles."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from string import ascii_lowercase

from wikiapi.store.database import Database
from wikiapi.store.queries import pages
from wikiapi.store.queries.search import Column, Search, Term, page_ids, words

_SHORTEST, _LONGEST = 4, 20
"""The length of words that are corrected."""
_ENDING = 2
"""The longest ending that a word in a title may have in addition."""
_WORD = re.compile(r"[^\W_]+")
_MOST_WORDS = 3
_MOST_TITLES = 500
_LARGEST_ALPHABET = 48
_BLOCK = 128
"""The size of the ranges of Unicode that are taken for an alphabet."""


def corrected(db: Database, terms: Sequence[Term], namespaces: Sequence[int]) -> list[Term] | None:
    """Return a query's terms with words from titles in place of misspelled ones. Two queries.

    A word may have one letter too many, too few or another, or two of them exchanged, besides
    another ending and other diacritics, which are those of the title in the result. None if there
    is no title with such a word.
    """
    chosen = [term for term in terms if _may_be_misspelled(term)][:_MOST_WORDS]
    plain = {term: words(term.text)[0] for term in chosen}
    spellings = {term: set(_one_edit_away(word)) for term, word in plain.items()}
    if not spellings:
        return None
    tried = {word for others in spellings.values() for word in others}
    tried |= set(plain.values())
    terms_tried = [Term(word, prefix=True) for word in sorted(tried)]
    search = Search(Column.TITLE, terms_tried, (), namespaces, any_of=True)
    titles = pages.by_ids(db, page_ids(db, search, _MOST_TITLES)).values()
    counts = Counter(word for row in titles for word in _WORD.findall(row.title.lower()))
    plain_words = {word: words(word)[0] for word in counts}
    better: dict[Term, Term] = {}
    for term, others in spellings.items():
        there = (
            [word for word in counts if plain_words[word] == plain[term]]
            or [word for word in counts if plain_words[word] in others]
            or [
                word
                for word in counts
                if any(plain_words[word][:-cut] in others for cut in range(1, _ENDING + 1))
            ]
        )
        if term.text not in counts and there:
            better[term] = Term(min(there, key=lambda word: (-counts[word], word)))
    return [better.get(term, term) for term in terms] if better else None


def _may_be_misspelled(term: Term) -> bool:
    return (
        not term.prefix
        and _SHORTEST <= len(term.text) <= _LONGEST
        and len(words(term.text)) == 1
        and term.text.isalpha()
    )


def _one_edit_away(word: str) -> Iterator[str]:
    """Yield the words with one letter less, more or other, and with two neighbours exchanged."""
    letters = _alphabet(ord(max(word)) // _BLOCK)
    for place in range(len(word) + 1):
        before, after = word[:place], word[place:]
        if after:
            yield before + after[1:]
            yield from (before + letter + after[1:] for letter in letters)
        if len(after) > 1:
            yield before + after[1] + after[0] + after[2:]
        yield from (before + letter + after for letter in letters)


@lru_cache(16)
def _alphabet(block: int) -> str:
    """Return the small letters in a block of Unicode; none if it has too many for an alphabet."""
    if block == 0:
        return ascii_lowercase
    letters = map(chr, range(block * _BLOCK, (block + 1) * _BLOCK))
    small = "".join(char for char in letters if unicodedata.category(char) in ("Ll", "Lo"))
    return small if len(small) <= _LARGEST_ALPHABET else ""
