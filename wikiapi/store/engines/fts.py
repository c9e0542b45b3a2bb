"""SQLite's full-text indexes: wikiapi's FTS5 over a view, and MediaWiki's FTS3 table."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from wikiapi.store.fields import Long, Serial
from wikiapi.store.fulltext import TITLE_WEIGHT, FullText, Term
from wikiapi.store.models.base import MediaWikiModel
from wikiapi.store.queries import pages, texts
from wikiapi.store.sql.batches import BATCH, chunked

_VIEW = """
CREATE VIEW searchsource AS
SELECT page_id, page_title AS si_title, old_text AS si_text
FROM page
JOIN slots ON slot_revision_id = page_latest
JOIN slot_roles ON role_id = slot_role_id AND role_name = 'main'
JOIN content ON content_id = slot_content_id
JOIN text ON old_id = CAST(substr(content_address, 4) AS INTEGER)
"""

_INDEX = """
CREATE VIRTUAL TABLE searchindex USING fts5(
    si_title, si_text, content = 'searchsource', content_rowid = 'page_id', tokenize = 'unicode61'
)
"""

# FTS5's own settings, https://www.sqlite.org/fts5.html#fts5_configuration_options. While loading,
# words are collected in memory for longer and not merged on disk, which is twice as fast.
_BULK = {"hashsize": 16 << 20, "automerge": 0}
_USUAL = {"hashsize": 1 << 20, "automerge": 4}


# The number of occurrences whose score is half of the maximum.
_SATURATION = 1.2


class _SearchIndex(MediaWikiModel):
    """The index as a model, to insert rows."""

    rowid = Serial()
    si_title = Long()
    si_text = Long()

    class Meta:
        """The model is not in ``ALL_MODELS``, because a migration creates its table."""

        table_name = "searchindex"


class Fts3(FullText):
    """MediaWiki's own table: texts in lower case; the id of a row is that of the page."""

    key = "searchindex.rowid"
    match = "searchindex.{column} MATCH ?"
    # CROSS keeps SQLite from reading all pages and looking up each in the index.
    join = "CROSS JOIN"
    has_scores = False
    prefixed = '"{}*"'

    def expression(self, terms: Sequence[Term], *, any_of: bool = False) -> str:
        """Return phrases, all or any of which must be present."""
        quoted = filter(None, map(self._quoted, terms))
        return (" OR " if any_of else " ").join(quoted)

    def scored(self, expression: str) -> tuple[str, list[object]]:
        """Return SQL that selects numbers of occurrences, for :meth:`read_scores`."""
        select = "SELECT rowid AS page, matchinfo(searchindex, 'pcx') AS score FROM searchindex"
        return f"{select} WHERE searchindex MATCH ?", [expression]

    def read_scores(self, values: Sequence[Any]) -> list[float]:
        """Return scores; rare phrases weigh more, and further occurrences weigh less and less."""
        pages = max(1, int(self.db.execute_sql("SELECT COUNT(*) FROM page")[0][0]))
        return [_score(bytes(value), pages) for value in values]

    def create(self) -> None:
        """Raise NotImplementedError: only MediaWiki creates this index."""
        raise NotImplementedError

    def rebuild(self) -> None:
        """Index the current texts of all pages."""
        with self.db.atomic():
            self.db.execute_sql("DELETE FROM searchindex")
            pages = self.db.execute_sql("SELECT page_id FROM page")
            self.add([page_id for (page_id,) in pages])

    def remove(self, page_ids: Sequence[int]) -> None:
        """Delete the pages' rows."""
        with self.db.atomic():
            for page_id in page_ids:
                self.db.execute_sql("DELETE FROM searchindex WHERE rowid = ?", (page_id,))

    def add(self, page_ids: Sequence[int]) -> None:
        """Insert the current texts of pages."""
        for batch in chunked(page_ids, BATCH):
            keys = [row.key for row in pages.by_ids(self.db, batch).values()]
            current = texts.current(self.db, keys).values()
            self.add_texts((row.page_id, row.title, row.text or "") for row in current)

    def add_texts(self, rows: Iterable[tuple[int, str, str]]) -> None:
        """Insert texts that are already in memory."""
        lower = (
            (number, title.replace("_", " ").lower(), text.lower()) for number, title, text in rows
        )
        self.db.insert_many(_SearchIndex, lower)

    def _quoted(self, term: Term) -> str:
        """Return a term as a phrase, in which only quotation marks and asterisks are special."""
        text = "".join(" " if char in '"*\0' else char for char in term.text).strip()
        # Without a letter or digit there is no word, and FTS3 rejects a phrase without words.
        if not any(char.isalnum() for char in text):
            return ""
        return (self.prefixed if term.prefix else '"{}"').format(text)


def _score(matchinfo: bytes, pages: int) -> float:
    """Return the score of a page from its matchinfo: https://www.sqlite.org/fts3.html#matchinfo.

    For each phrase in each column there are three numbers: the occurrences in this page, the
    occurrences in all pages, and the number of pages with an occurrence.
    """
    phrases, columns, *numbers = memoryview(matchinfo).cast("I")
    score = 0.0
    for place in range(phrases * columns):
        here, _, having = numbers[3 * place : 3 * place + 3]
        rareness = math.log(1 + (pages - min(having, pages) + 0.5) / (having + 0.5))
        weight = 1 if place % columns else TITLE_WEIGHT
        score += weight * rareness * here / (here + _SATURATION)
    return score


class Fts5(Fts3):
    """wikiapi's own index, which contains only words and refers to the text table for texts.

    MediaWiki's table contains a second copy of every text. This index takes a third of the space
    and is filled by one statement.
    """

    has_scores = True
    prefixed = '"{}"*'

    def excluding(self, expression: str, excluded: Sequence[Term]) -> str | None:
        """Return both parts joined by ``NOT``, which FTS5 computes by merging two sorted lists."""
        negated = self.expression(excluded, any_of=True)
        return f"({expression}) NOT ({negated})" if negated else expression

    def scored(self, expression: str) -> tuple[str, list[object]]:
        """Return SQL with the negated scores of FTS5, in which smaller is better."""
        select = f"SELECT rowid AS page, -bm25(searchindex, {TITLE_WEIGHT}, 1) AS score"
        return f"{select} FROM searchindex WHERE searchindex MATCH ?", [expression]

    def read_scores(self, values: Sequence[Any]) -> list[float]:
        """Return the scores unchanged."""
        return [float(value) for value in values]

    def create(self) -> None:
        """Create the view and the index over it."""
        self.db.execute_sql(_VIEW)
        self.db.execute_sql(_INDEX)

    def rebuild(self) -> None:
        """Make FTS5 read the whole view, which is the fastest way after an import."""
        with self.db.atomic():
            self.db.execute_sql("INSERT INTO searchindex (searchindex) VALUES ('rebuild')")

    def remove(self, page_ids: Sequence[int]) -> None:
        """Remove the pages, for which the index needs the texts that were indexed."""
        with self.db.atomic():
            for page_id in page_ids:
                self.db.execute_sql("DELETE FROM searchindex WHERE rowid = ?", (page_id,))

    def add(self, page_ids: Sequence[int]) -> None:
        """Add the pages' texts from the view."""
        with self.db.atomic():
            for page_id in page_ids:
                self.db.execute_sql(
                    "INSERT INTO searchindex (rowid, si_title, si_text)"
                    " SELECT page_id, si_title, si_text FROM searchsource WHERE page_id = ?",
                    (page_id,),
                )

    def add_texts(self, rows: Iterable[tuple[int, str, str]]) -> None:
        """Insert texts that are already in memory."""
        self.db.insert_many(_SearchIndex, rows)

    def indexed(self) -> int:
        """Return the number of indexed pages, from the table with the length of each."""
        return int(self.db.execute_sql("SELECT COUNT(*) FROM searchindex_docsize")[0][0])

    def bulk(self, *, begins: bool) -> None:
        """Begin or end bulk loading; the settings are stored in the database."""
        for name, value in (_BULK if begins else _USUAL).items():
            self.db.execute_sql(
                "INSERT INTO searchindex (searchindex, rank) VALUES (?, ?)", (name, value)
            )
