"""The store: MediaWiki's tables, and batched queries on them by subject.

A module of queries belongs to each subject: ``pages``, ``revisions``, ``texts``, ``links``,
``categories``, ``users``, ``tags`` and others; ``bounds`` makes the conditions of continuation.
``models`` has the tables, ``fields`` the types of their columns.
"""

from __future__ import annotations

from wikiapi.store.batches import Key
from wikiapi.store.categories import CategoryRow
from wikiapi.store.database import Database
from wikiapi.store.models.base import MediaWikiModel, index, unique
from wikiapi.store.pages import PageRow
from wikiapi.store.revisions import RevisionRow
from wikiapi.store.statements import Row
from wikiapi.store.users import BlockRow, UserRow
from wikiapi.store.write.links import PageLinkSet

__all__ = [
    "BlockRow",
    "CategoryRow",
    "Database",
    "Key",
    "MediaWikiModel",
    "PageLinkSet",
    "PageRow",
    "RevisionRow",
    "Row",
    "UserRow",
    "index",
    "unique",
]
