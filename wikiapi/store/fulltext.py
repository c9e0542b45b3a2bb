"""Full-text indexes: what each kind must define, those on servers, and the words in them.

The kinds are declared by the dialects of the engines, and defined beside the engines.
"""

from __future__ import annotations

import re
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from pkgutil import resolve_name
from typing import Any, ClassVar, NamedTuple

from peewee import fn

from wikiapi.errors import StoreError
from wikiapi.store.database import Database
from wikiapi.store.fields import Long, UInt
from wikiapi.store.models import Page
from wikiapi.store.models.base import MediaWikiModel
from wikiapi.store.queries import texts
from wikiapi.store.sql.batches import chunked


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

    key: ClassVar[str] = "si_page"
    """The column with the page's id."""
    match: ClassVar[str]
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

    def excluding(self, expression: str, excluded: Sequence[Term]) -> str | None:
        """Return an expression that matches ``expression`` but none of the excluded terms.

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


def index_of(db: Database) -> FullText:
    """Return the index that the database has. Raises StoreError if there is none."""
    index = index_of_kind(db, db.full_text)
    if index is None:
        raise StoreError("this database has no full-text index")
    return index


def index_of_kind(db: Database, kind: str) -> FullText | None:
    """Return the index of a kind, as in ``Database.full_text``; None if the kind is unknown."""
    place = db.dialect.full_text_indexes.get(kind)
    index: FullText | None = resolve_name(place)(db) if place else None
    return index


def new_index(db: Database) -> FullText:
    """Return the index that a new store gets, before it is created."""
    index: FullText = resolve_name(next(iter(db.dialect.full_text_indexes.values())))(db)
    return index


_BATCH = 200


class _SearchIndex(MediaWikiModel):
    """The index as a model, to insert rows."""

    si_page = UInt(key=True)
    si_title = Long()
    si_text = Long()

    class Meta:
        """The model is not in ``ALL_MODELS``, because a migration creates its table."""

        table_name = "searchindex"


class ServerIndex(FullText):
    """A table ``searchindex`` with a row for each page."""

    definition: ClassVar[tuple[str, ...]]
    """The statements that create the table and its indexes."""
    rank: ClassVar[str]
    """The SQL of a score, with one value and ``{column}`` as in ``match``."""

    @abstractmethod
    def value(self, text: str) -> str:
        """Return what the index stores for a title or a text."""

    def scored(self, expression: str) -> tuple[str, list[object]]:
        """Return SQL that adds up the scores of title and text, each found with its own index."""
        weights = {Column.TITLE: TITLE_WEIGHT, Column.TEXT: 1}
        parts = " UNION ALL ".join(
            f"SELECT si_page AS page, {weight} * {self.rank.format(column=column)} AS score"  # noqa: S608
            f" FROM searchindex WHERE {self.match.format(column=column)}"
            for column, weight in weights.items()
        )
        total = f"SELECT page, SUM(score) AS score FROM ({parts}) AS found GROUP BY page"  # noqa: S608
        return total, [expression] * (2 * len(weights))

    def create(self) -> None:
        """Create the table and its indexes, unless an interrupted attempt on MariaDB has."""
        for statement in self.definition:
            self.db.execute_sql(statement)

    def rebuild(self) -> None:
        """Index the current texts of all pages, in batches."""
        self.db.execute_write(_SearchIndex.delete())
        last = 0
        while rows := self._pages(Page.page_id > last):
            self._insert(rows)
            last = rows[-1][0]

    def remove(self, page_ids: Sequence[int]) -> None:
        """Delete the pages' rows."""
        page: Any = _SearchIndex
        for batch in chunked(page_ids, _BATCH):
            self.db.execute_write(_SearchIndex.delete().where(page.si_page.in_(batch)))

    def add(self, page_ids: Sequence[int]) -> None:
        """Insert the current texts of pages."""
        for batch in chunked(page_ids, _BATCH):
            self._insert(self._pages(Page.page_id.in_(batch)))

    def add_texts(self, rows: Iterable[tuple[int, str, str]]) -> None:
        """Insert texts that are already in memory."""
        values = ((page, self.value(title), self.value(text)) for page, title, text in rows)
        self.db.insert_many(_SearchIndex, values, on_conflict="replace")

    def indexed(self) -> int:
        """Return the number of indexed pages, each of which has a row."""
        return int(self.db.scalar(_SearchIndex.select(fn.COUNT(_SearchIndex.si_page))))

    def _pages(self, condition: Any) -> list[tuple[int, str, int]]:
        query = Page.select(Page.page_id, Page.page_title, Page.page_latest).where(condition)
        return self.db.execute(query.order_by(Page.page_id).limit(_BATCH))

    def _insert(self, rows: list[tuple[int, str, int]]) -> None:
        self.add_texts(self._with_texts(rows))

    def _with_texts(self, rows: list[tuple[int, str, int]]) -> Iterator[tuple[int, str, str]]:
        revision_texts = texts.of_revisions(self.db, [latest for _, _, latest in rows])
        for page_id, title, latest in rows:
            row = revision_texts.get(latest)
            yield page_id, title, (row.text or "") if row else ""


# The servers' own rules for splitting texts into words differ by version, locale and setting. Texts
# are therefore split here, so that searches have the same results on every database.

LONGEST = 80
"""Number of characters of a word that are indexed."""

_ASCII = re.compile(r"[a-z0-9]+")
_WORD = re.compile(r"[^\W_]+")
_MARKS = re.compile("[\u0300-\u036f]")


def words(text: str) -> list[str]:
    """Return the words of a text in order: lower case, without diacritics, long ones truncated."""
    lowered = text.lower()
    plain = lowered.isascii()
    parts = _ASCII.findall(lowered) if plain else _WORD.findall(_without_marks(lowered))
    return [word[:LONGEST] for word in parts]


def _without_marks(text: str) -> str:
    return unicodedata.normalize("NFC", _MARKS.sub("", unicodedata.normalize("NFD", text)))
