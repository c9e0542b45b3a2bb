"""Full-text search: our FTS5 index and MediaWiki's FTS3 table of the same name."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from wikiapi.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wikiapi.store.database import Database


class Column(StrEnum):
    """What is searched."""

    TITLE = "si_title"
    TEXT = "si_text"


class Term(NamedTuple):
    """A word or a phrase, as the user wrote it. ``prefix`` matches words that begin with it."""

    text: str
    prefix: bool = False


class Search(NamedTuple):
    """Pages that contain all ``wanted`` terms and none of the ``unwanted``, in some namespaces.

    Nothing within a term is an operator. A search without wanted terms finds nothing.
    """

    column: Column
    wanted: Sequence[Term]
    unwanted: Sequence[Term] = ()
    namespaces: Sequence[int] = (0,)


def page_ids(db: Database, search: Search, limit: int, offset: int = 0) -> list[int]:
    """The ids of the pages found, in ascending order. One query.

    Raises StoreError where the database has no full-text index.
    """
    sql, params = _where(db, search)
    found = db.raw(
        f"SELECT page_id {sql} ORDER BY page_id LIMIT ? OFFSET ?",
        (*params, limit, offset),
    )
    return [page_id for (page_id,) in found]


def count(db: Database, search: Search) -> int:
    """How many pages are found in all. One query."""
    sql, params = _where(db, search)
    return int(db.raw(f"SELECT COUNT(*) {sql}", params)[0][0])


def _where(db: Database, search: Search) -> tuple[str, list[object]]:
    fts5 = _is_fts5(db)
    wanted = _expression(search.wanted, fts5=fts5)
    if not wanted or not search.namespaces:
        return "FROM page WHERE 0 = 1", []
    marks = ", ".join("?" * len(search.namespaces))
    # CROSS keeps SQLite from walking the pages and asking the index about each.
    sql = (
        "FROM searchindex CROSS JOIN page ON page_id = searchindex.rowid"
        f" WHERE searchindex.{search.column} MATCH ? AND page_namespace IN ({marks})"
    )
    params: list[object] = [wanted, *search.namespaces]
    for term in search.unwanted:
        if expression := _expression([term], fts5=fts5):
            without = f"(SELECT rowid FROM searchindex WHERE {search.column} MATCH ?)"  # noqa: S608
            sql += f" AND page_id NOT IN {without}"
            params.append(expression)
    return sql, params


def _expression(terms: Sequence[Term], *, fts5: bool) -> str:
    return " ".join(quoted for term in terms if (quoted := _quoted(term, fts5=fts5)))


def _quoted(term: Term, *, fts5: bool) -> str:
    """A term as a phrase; between quotation marks only these and the asterisk mean something."""
    text = "".join(" " if char in '"*\0' else char for char in term.text).strip()
    # What has no letter or digit is no word, and a phrase of no words is an error in FTS3.
    if not any(char.isalnum() for char in text):
        return ""
    if not term.prefix:
        return f'"{text}"'
    return f'"{text}"*' if fts5 else f'"{text}*"'


def _is_fts5(db: Database) -> bool:
    if not db.full_text:
        raise StoreError("this database has no full-text index")
    return "fts5" in db.full_text
