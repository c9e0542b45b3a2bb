"""Search terms, and the interface of a full-text index."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Any, ClassVar, NamedTuple

from wikiapi.store.database import Database


class Column(StrEnum):
    """A column of the index in which to search."""

    TITLE = "si_title"
    TEXT = "si_text"


class Term(NamedTuple):
    """A word or a phrase, as the user wrote it. ``prefix`` matches words that begin with it."""

    text: str
    prefix: bool = False


TITLE_WEIGHT = 8
"""Weight of a word in the title, relative to one in the text."""


class FullText(ABC):
    """The full-text index of one database."""

    kind: ClassVar[str]
    """A word that identifies the index in the declaration of ``searchindex``."""
    key: ClassVar[str] = "si_page"
    """The column with the page's id."""
    found: ClassVar[str]
    """The SQL of a condition, with ``{column}`` for the column; its value is an expression."""
    join: ClassVar[str] = "JOIN"
    """How the index is joined with the page table."""
    has_scores: ClassVar[bool] = True
    """Whether the database can sort by score."""

    def __init__(self, db: Database) -> None:
        """Take the database, which need not have the index yet."""
        self.db = db

    @abstractmethod
    def expression(self, terms: Sequence[Term], *, any_of: bool = False) -> str:
        """Return an expression in the index's query language for all, or any, of the terms.

        It is empty if the terms contain no words.
        """

    def excluding(self, expression: str, unwanted: Sequence[Term]) -> str | None:
        """Return an expression that matches ``expression`` but none of the unwanted terms.

        ``None`` if the index's query language cannot express this.
        """
        return None

    @abstractmethod
    def scored(self, expression: str) -> tuple[str, list[object]]:
        """Return SQL, and its values, that selects (page, score) of pages matching an expression.

        The title or the text may match. More relevant pages have a higher score.
        """

    def read_scores(self, values: Sequence[Any]) -> list[float]:
        """Return the scores that the database has returned as numbers."""
        return [float(value) for value in values]

    @abstractmethod
    def create(self) -> None:
        """Create an empty index."""

    @abstractmethod
    def rebuild(self) -> None:
        """Index the current texts of all pages."""

    @abstractmethod
    def remove(self, page_ids: Sequence[int]) -> None:
        """Remove pages from the index, before their latest revision changes."""

    @abstractmethod
    def add(self, page_ids: Sequence[int]) -> None:
        """Add the current texts of pages that are not in the index."""

    @abstractmethod
    def add_texts(self, rows: Iterable[tuple[int, str, str]]) -> None:
        """Add (page id, database key, text) of pages that are not in the index."""

    def indexed(self) -> int | None:
        """Return the number of pages in the index; ``None`` if that is unknown."""
        return None

    def bulk(self, *, begins: bool) -> None:  # noqa: B027
        """Prepare the index for the insertion of many pages, or return to normal."""
