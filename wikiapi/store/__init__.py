"""The store: MediaWiki's tables, and batched queries on them.

``queries`` has a module for each subject: ``pages``, ``revisions``, ``texts``, ``links`` and
others. ``models`` defines the tables, and ``fields`` the types of their columns. ``sql.bounds``
builds the conditions that continue a query where the last one ended.
"""

from __future__ import annotations

from wikiapi.store.database import Database
from wikiapi.store.models.base import MediaWikiModel, index, unique
from wikiapi.store.queries.categories import CategoryRow
from wikiapi.store.queries.pages import PageRow
from wikiapi.store.queries.revisions import RevisionRow
from wikiapi.store.queries.users import BlockRow, UserRow
from wikiapi.store.sql.batches import Key
from wikiapi.store.sql.statements import Row
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
