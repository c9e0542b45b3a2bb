"""What is searched for, and what an index can do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Any, ClassVar, NamedTuple

from wikiapi.store.database import Database


class Column(StrEnum):
    """What is searched."""

    TITLE = "si_title"
    TEXT = "si_text"


class Term(NamedTuple):
    """A word or a phrase, as the user wrote it. ``prefix`` matches words that begin with it."""

    text: str
    prefix: bool = False


TITLE_WEIGHT = 8
"""How much more a word in the title counts than one in the text."""


class FullText(ABC):
    """The full-text index of one database.

    ``kind`` is a word of the declaration by which the index is known; ``found`` the SQL of a
    condition with one value, the expression, and ``{column}`` for the column; ``key`` the column
    with the page's id.
    """

    kind: ClassVar[str]
    key: ClassVar[str] = "si_page"
    found: ClassVar[str]
    join: ClassVar[str] = "JOIN"
    has_scores: ClassVar[bool] = True
    """Whether the database can put scores into an order."""

    def __init__(self, db: Database) -> None:
        """Look at nothing yet."""
        self.db = db

    @abstractmethod
    def expression(self, terms: Sequence[Term], *, any_of: bool = False) -> str:
        """Return all, or any, of the terms in the index's own language; empty for no words."""

    def excluding(self, expression: str, unwanted: Sequence[Term]) -> str | None:
        """Return an expression for what has one expression and none of the unwanted terms.

        ``None`` if the index's language has no such form.
        """
        return None

    @abstractmethod
    def scored(self, expression: str) -> tuple[str, list[object]]:
        """Return SQL that selects (page, score) of what has an expression in title or text.

        With its values. The more a page is about the terms, the larger is its score.
        """

    def read_scores(self, values: Sequence[Any]) -> list[float]:
        """Return the scores, which the database has given, as numbers."""
        return [float(value) for value in values]

    @abstractmethod
    def create(self) -> None:
        """Make an empty index."""

    @abstractmethod
    def rebuild(self) -> None:
        """Index the current texts of all pages."""

    @abstractmethod
    def remove(self, page_ids: Sequence[int]) -> None:
        """Take indexed pages out, before their latest revision changes."""

    @abstractmethod
    def add(self, page_ids: Sequence[int]) -> None:
        """Index pages that are not in the index, as they are now."""

    @abstractmethod
    def add_texts(self, rows: Iterable[tuple[int, str, str]]) -> None:
        """Index (page id, database key, text) of pages that are not in the index."""

    def indexed(self) -> int | None:
        """Return the number of pages in the index; ``None`` if that is unknown."""
        return None

    def bulk(self, *, begins: bool) -> None:  # noqa: B027
        """Get ready for much to come, or for usual again."""
