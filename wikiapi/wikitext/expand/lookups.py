"""Look-ups in the store for parser functions and variables, cached for one rendering."""

from __future__ import annotations

from functools import cached_property

from wikiapi.store.database import Database
from wikiapi.store.queries import categories, pages, protection, revisions, sitestats, users
from wikiapi.store.queries.categories import CategoryRow
from wikiapi.store.queries.pages import PageRow
from wikiapi.store.queries.protection import CascadeSource, Restriction
from wikiapi.store.queries.revisions import RevisionRow
from wikiapi.store.queries.sitestats import Statistics
from wikiapi.title.title import Title

Key = tuple[int, str]


_LONGEST_GROUP = 255
"""The longest name of a user group that the store can hold, in bytes."""


class Lookups:
    """Look-ups of one rendering. A repeated look-up takes no query."""

    def __init__(self, db: Database) -> None:
        """Look up in this database."""
        self._db = db
        self._pages: dict[Key, PageRow | None] = {}
        self._revisions: dict[Key, RevisionRow | None] = {}
        self._restrictions: dict[Key, list[Restriction]] = {}
        self._sources: dict[Key, list[CascadeSource]] = {}
        self._categories: dict[str, CategoryRow | None] = {}
        self._members: dict[str, int] = {}
        self._in_namespaces: dict[int, int] = {}

    def knows_page(self, title: Title) -> bool:
        """Return whether a page has been looked up before."""
        return title.key in self._pages

    def has_page(self, key: Key) -> bool:
        """Return whether a page has been looked up before and exists."""
        return self._pages.get(key) is not None

    def page(self, title: Title) -> PageRow | None:
        """Return the row of a page, if it exists."""
        key = title.key
        if key not in self._pages:
            self._pages[key] = pages.by_titles(self._db, [key]).get(key)
        return self._pages[key]

    def revision(self, title: Title) -> RevisionRow | None:
        """Return the current revision of a page, if it exists."""
        if title.key not in self._revisions:
            row = self.page(title)
            rows = revisions.by_ids(self._db, [row.latest]) if row else {}
            self._revisions[title.key] = rows.get(row.latest) if row else None
        return self._revisions[title.key]

    def restrictions(self, title: Title) -> list[Restriction]:
        """Return the protections of a page, including expired ones."""
        if title.key not in self._restrictions:
            row = self.page(title)
            rows = protection.of_pages(self._db, [row.page_id]) if row else {}
            self._restrictions[title.key] = rows.get(row.page_id, []) if row else []
        return self._restrictions[title.key]

    def cascade_sources(self, title: Title) -> list[CascadeSource]:
        """Return the pages whose cascading protection applies to a page."""
        if title.key not in self._sources:
            rows = protection.cascade_sources(self._db, [title.key])
            self._sources[title.key] = rows.get(title.key, [])
        return self._sources[title.key]

    def knows_category(self, name: str) -> bool:
        """Return whether a category has been looked up before."""
        return name in self._categories

    def category(self, name: str) -> CategoryRow | None:
        """Return the counts of a category by its database key, or ``None`` if it has no row."""
        if name not in self._categories:
            self._categories[name] = categories.by_titles(self._db, [name]).get(name)
        return self._categories[name]

    def members_of_group(self, group: str, now: str) -> int:
        """Return the number of accounts in a user group; ``now`` is a timestamp of 14 digits."""
        if len(group) > _LONGEST_GROUP:
            return 0
        if group not in self._members:
            self._members[group] = users.count_in_group(self._db, group, now)
        return self._members[group]

    def pages_in_namespace(self, number: int) -> int:
        """Return the number of pages in a namespace."""
        if number not in self._in_namespaces:
            self._in_namespaces[number] = pages.count_in_namespace(self._db, number)
        return self._in_namespaces[number]

    @cached_property
    def statistics(self) -> Statistics:
        """The counters of the wiki."""
        return sitestats.statistics(self._db)
