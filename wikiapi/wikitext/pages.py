"""What the parser asks the store: current texts, and which pages exist."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from sys import getsizeof

from wikiapi.cache.memory import BoundedCache
from wikiapi.store import links, pages, texts
from wikiapi.store.database import Database
from wikiapi.wikitext.expand.strip import disarm

Key = tuple[int, str]


class StorePages:
    """Pages of a site's own store."""

    def __init__(self, db: Database, cache_bytes: int) -> None:
        """Read from this database; texts may take so many bytes of memory.

        Most pages of a wiki share some templates and modules, and those of a million bytes. What
        the text of a revision is never changes, so only which one is current is asked each time.
        """
        self._db = db
        self._texts: BoundedCache[int, str] = BoundedCache(cache_bytes)

    def current(self, keys: Iterable[Key]) -> Mapping[Key, tuple[int, int, str]]:
        """Page id, revision id and text of the pages that exist; suppressed texts do not."""
        ids = texts.current_ids(self._db, keys)
        found = self._of_revisions([revision for _, revision in ids.values()])
        return {
            key: (page, revision, found[revision])
            for key, (page, revision) in ids.items()
            if revision in found
        }

    def _of_revisions(self, revisions: Iterable[int]) -> Mapping[int, str]:
        kept = {revision: self._texts.get(revision) for revision in revisions}
        found = {revision: text for revision, text in kept.items() if text is not None}
        if len(found) < len(kept):
            for revision, row in texts.of_revisions(self._db, kept.keys() - found).items():
                if row.text is not None:
                    text = found[revision] = disarm(row.text)
                    self._texts.put(revision, text, getsizeof(text))
        return found

    def transcluded(self, page: Key) -> Iterable[Key]:
        """What the page of a title transcludes, as far as the store knows."""
        return links.transcluded(self._db, page)

    def existing(self, keys: Iterable[Key]) -> Mapping[Key, bool]:
        """Of the pages that exist, whether each is a redirect."""
        found = pages.by_titles(self._db, keys)
        return {key: bool(row.is_redirect) for key, row in found.items()}
