"""What the parser asks the store: current texts, and which pages exist."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.store import pages, texts

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from wikiapi.store.database import Database

    Key = tuple[int, str]


class StorePages:
    """Pages of a site's own store."""

    def __init__(self, db: Database) -> None:
        """Read from this database."""
        self._db = db

    def current(self, keys: Iterable[Key]) -> Mapping[Key, tuple[int, int, str]]:
        """Page id, revision id and text of the pages that exist; suppressed texts do not."""
        found = texts.current(self._db, keys)
        return {
            key: (row.page_id, row.revision_id, row.text)
            for key, row in found.items()
            if row.text is not None
        }

    def existing(self, keys: Iterable[Key]) -> Mapping[Key, bool]:
        """Of the pages that exist, whether each is a redirect."""
        found = pages.by_titles(self._db, keys)
        return {key: bool(row.is_redirect) for key, row in found.items()}
