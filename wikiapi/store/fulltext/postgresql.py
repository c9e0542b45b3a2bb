"""PostgreSQL: text search vectors with GIN indexes."""

from __future__ import annotations

from collections.abc import Sequence

from wikiapi.store.fulltext.base import Term
from wikiapi.store.fulltext.server import ServerIndex, words

# Limits of the type: https://www.postgresql.org/docs/current/textsearch-limits.html
_LAST_POSITION = 16_383
_POSITIONS = 255
_BYTES = 1_000_000
_PER_POSITION = 2
_PER_WORD = 8


class PostgresqlIndex(ServerIndex):
    """An index of vectors that are built in Python, independently of the server's dictionaries.

    A vector can take one megabyte for words and positions; the rest of a longer text is left out.
    Phrases are only found within the first 16,383 words.
    """

    kind = "tsvector"
    found = "{column} @@ CAST(%s AS tsquery)"
    # 1 means: divided by the logarithm of the length.
    rank = "ts_rank({column}, CAST(%s AS tsquery), 1)"
    definition = (
        (
            "CREATE TABLE searchindex (si_page INTEGER PRIMARY KEY,"
            " si_title tsvector NOT NULL, si_text tsvector NOT NULL)"
        ),
        "CREATE INDEX si_title ON searchindex USING gin (si_title)",
        "CREATE INDEX si_text ON searchindex USING gin (si_text)",
    )

    def value(self, text: str) -> str:
        """Return a vector as text: each word with its positions."""
        places: dict[str, list[int]] = {}
        size = 0
        for place, word in enumerate(words(text), 1):
            size += _PER_POSITION if word in places else len(word.encode()) + _PER_WORD
            if size > _BYTES:
                break
            known = places.setdefault(word, [])
            if len(known) < _POSITIONS:
                known.append(min(place, _LAST_POSITION))
        # Words contain only letters and digits, so nothing needs to be escaped.
        return " ".join(f"'{word}':{','.join(map(str, at))}" for word, at in places.items())

    def expression(self, terms: Sequence[Term], *, any_of: bool = False) -> str:
        """Return phrases, all or any of which must be present."""
        return (" | " if any_of else " & ").join(filter(None, map(_phrase, terms)))


def _phrase(term: Term) -> str:
    found = [f"'{word}'" for word in words(term.text)]
    if found and term.prefix:
        found[-1] += ":*"
    return f"({' <-> '.join(found)})" if found else ""
