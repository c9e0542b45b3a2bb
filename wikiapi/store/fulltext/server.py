"""A table of words on a server, filled from the pages by this side."""

from __future__ import annotations

import re
import unicodedata
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, ClassVar

from peewee import fn

from wikiapi.store.fields import Long, UInt
from wikiapi.store.fulltext.base import TITLE_WEIGHT, Column, FullText
from wikiapi.store.models import Page
from wikiapi.store.models.base import MediaWikiModel
from wikiapi.store.queries import texts
from wikiapi.store.sql.statements import chunked

_BATCH = 200


class _SearchIndex(MediaWikiModel):
    """The index as a table that can be inserted into."""

    si_page = UInt(key=True)
    si_title = Long()
    si_text = Long()

    class Meta:
        """Not among the models that become tables: a migration makes it."""

        table_name = "searchindex"


class ServerIndex(FullText):
    """``searchindex`` with a row for each page."""

    definition: ClassVar[tuple[str, ...]]
    rank: ClassVar[str]
    """The SQL of a score, with one value and ``{column}`` as in ``found``."""

    @abstractmethod
    def value(self, text: str) -> str:
        """Return what the index stores for a title or a text."""

    def scored(self, expression: str) -> tuple[str, list[object]]:
        """Return SQL that adds up the scores of title and text, each found through its index."""
        weights = {Column.TITLE: TITLE_WEIGHT, Column.TEXT: 1}
        parts = " UNION ALL ".join(
            f"SELECT si_page AS page, {weight} * {self.rank.format(column=column)} AS score"  # noqa: S608
            f" FROM searchindex WHERE {self.found.format(column=column)}"
            for column, weight in weights.items()
        )
        total = f"SELECT page, SUM(score) AS score FROM ({parts}) AS found GROUP BY page"  # noqa: S608
        return total, [expression] * (2 * len(weights))

    def create(self) -> None:
        """Make the table with its indexes; on MariaDB it may be there already, half-done."""
        for statement in self.definition:
            self.db.execute_sql(statement)

    def rebuild(self) -> None:
        """Index all pages again, some hundred at a time."""
        self.db.execute_write(_SearchIndex.delete())
        last = 0
        while rows := self._pages(Page.page_id > last):
            self._insert(rows)
            last = rows[-1][0]

    def remove(self, page_ids: Sequence[int]) -> None:
        """Delete their rows."""
        page: Any = _SearchIndex
        for batch in chunked(page_ids, _BATCH):
            self.db.execute_write(_SearchIndex.delete().where(page.si_page.in_(batch)))

    def add(self, page_ids: Sequence[int]) -> None:
        """Read their texts."""
        for batch in chunked(page_ids, _BATCH):
            self._insert(self._pages(Page.page_id.in_(batch)))

    def add_texts(self, rows: Iterable[tuple[int, str, str]]) -> None:
        """Take texts that are in memory anyway."""
        values = ((page, self.value(title), self.value(text)) for page, title, text in rows)
        self.db.insert_many(_SearchIndex, values, on_conflict="replace")

    def indexed(self) -> int:
        """Return the number of pages; each has a row."""
        return int(self.db.scalar(_SearchIndex.select(fn.COUNT(_SearchIndex.si_page))))

    def _pages(self, condition: Any) -> list[tuple[int, str, int]]:
        query = Page.select(Page.page_id, Page.page_title, Page.page_latest).where(condition)
        return self.db.execute(query.order_by(Page.page_id).limit(_BATCH))

    def _insert(self, rows: list[tuple[int, str, int]]) -> None:
        self.add_texts(self._with_texts(rows))

    def _with_texts(self, rows: list[tuple[int, str, int]]) -> Iterator[tuple[int, str, str]]:
        found = texts.of_revisions(self.db, [latest for _, _, latest in rows])
        for page_id, title, latest in rows:
            row = found.get(latest)
            yield page_id, title, (row.text or "") if row else ""


# The servers part texts by rules of their own, which differ by version, locale and setting. They
# are given words that are ready, so that every database finds the same.

LONGEST = 80
"""Characters of a word that count."""

_ASCII = re.compile(r"[a-z0-9]+")
_WORD = re.compile(r"[^\W_]+")
_MARKS = re.compile("[\u0300-\u036f]")


def words(text: str) -> list[str]:
    """Return the words in their order: lower case, without diacritics, long ones cut off."""
    lowered = text.lower()
    plain = lowered.isascii()
    found = _ASCII.findall(lowered) if plain else _WORD.findall(_without_marks(lowered))
    return [word[:LONGEST] for word in found]


def _without_marks(text: str) -> str:
    return unicodedata.normalize("NFC", _MARKS.sub("", unicodedata.normalize("NFD", text)))
