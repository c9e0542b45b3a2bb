"""The parser's access to the store: current texts of pages, and which pages exist."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from sys import getsizeof

from wikiapi.cache.memory import BoundedCache
from wikiapi.store.database import Database
from wikiapi.store.queries import links, pages, texts
from wikiapi.store.queries.pages import PageRow
from wikiapi.wikitext.expand.strip import clean_input

Key = tuple[int, str]


class StorePages:
    """Pages of a site's own store."""

    def __init__(self, db: Database, cache_bytes: int) -> None:
        """Read from this database, and cache texts of up to ``cache_bytes`` in memory.

        Caching pays because most pages of a wiki share some templates and modules. The text of a
        revision never changes, so each time only the current revision id is queried.
        """
        self._db = db
        self._texts: BoundedCache[int, str] = BoundedCache(cache_bytes)

    def current(self, keys: Iterable[Key]) -> Mapping[Key, tuple[int, int, str]]:
        """Return page id, revision id and text of the pages that exist and are not suppressed."""
        ids = texts.current_ids(self._db, keys)
        cached = {revision: self._texts.get(revision) for _, revision in ids.values()}
        text_of = {revision: text for revision, text in cached.items() if text is not None}
        if len(text_of) < len(cached):
            for revision, row in texts.of_revisions(self._db, cached.keys() - text_of).items():
                if row.text is not None:
                    text = text_of[revision] = clean_input(row.text)
                    self._texts.put(revision, text, getsizeof(text))
        return {
            key: (page, revision, text_of[revision])
            for key, (page, revision) in ids.items()
            if revision in text_of
        }

    def transcluded(self, page: Key) -> Iterable[Key]:
        """Return the pages that a page transcludes, according to the store."""
        return links.transcluded(self._db, page)

    def existing(self, keys: Iterable[Key]) -> Mapping[Key, PageRow]:
        """Return the rows of the pages that exist."""
        return pages.by_titles(self._db, keys)


class LinkedPages:
    """The pages that the links of one or more renderings lead to, each looked up once.

    Attributes:
        classes: classes that plugins give to the links to a page.
        names: HTML that plugins show in links that are labelled with just the name of their page.
    """

    def __init__(self, pages: StorePages) -> None:
        """Look up in ``pages``."""
        self._pages = pages
        self._rows: dict[Key, PageRow | None] = {}
        self._new: dict[Key, PageRow] = {}
        self.classes: dict[Key, str] = {}
        self.names: dict[Key, str] = {}

    def existing(self, keys: Iterable[Key]) -> Mapping[Key, PageRow]:
        """Return the rows of the pages that exist. One query, if any page is not known yet."""
        keys = list(keys)
        if unknown := [key for key in keys if key not in self._rows]:
            rows = self._pages.existing(unknown)
            self._rows.update((key, rows.get(key)) for key in unknown)
            self._new.update(rows)
        return {key: row for key in keys if (row := self._rows[key]) is not None}

    def take_new(self) -> Mapping[Key, PageRow]:
        """Return the rows that have been found since the last call."""
        new, self._new = self._new, {}
        return new
