"""The store: MediaWiki's tables, and batched queries on them.

``queries`` has a module for each subject: ``pages``, ``revisions``, ``texts``, ``links`` and
others. ``models`` defines the tables, and ``fields`` the types of their columns. ``sql.bounds``
builds the conditions that continue a query where the last one ended.
"""

from __future__ import annotations

from wikiapi.store import phpvalues
from wikiapi.store.database import Database
from wikiapi.store.fields import Binary, Chars, Column, Int, Serial, Small, UInt
from wikiapi.store.models.base import MediaWikiModel, index, unique
from wikiapi.store.models.writing import UploadStash, UserNewTalk, WatchlistExpiry
from wikiapi.store.queries.categories import CategoryRow
from wikiapi.store.queries.pages import PageRow
from wikiapi.store.queries.revisions import RevisionRow
from wikiapi.store.queries.users import BlockRow, UserRow
from wikiapi.store.schema.migrate import is_there
from wikiapi.store.sql import bounds
from wikiapi.store.sql.batches import BATCH, Key, chunked, fetch_in, fetch_keys, keys_in
from wikiapi.store.sql.compiled import ByKeys, ByValues, CompiledQuery
from wikiapi.store.sql.nodes import ComparableSortKey, RawBytes
from wikiapi.store.sql.statements import Row
from wikiapi.store.turns import NamedTurns
from wikiapi.store.write.ids import Actors, Comments, Person, lasting_id, next_id
from wikiapi.store.write.links import PageLinkSet
from wikiapi.store.write.revisions import NewRevision, RevisionWriter, sha1_base36

__all__ = [
    "BATCH",
    "Actors",
    "Binary",
    "BlockRow",
    "ByKeys",
    "ByValues",
    "CategoryRow",
    "Chars",
    "Column",
    "Comments",
    "ComparableSortKey",
    "CompiledQuery",
    "Database",
    "Int",
    "Key",
    "MediaWikiModel",
    "NamedTurns",
    "NewRevision",
    "PageLinkSet",
    "PageRow",
    "Person",
    "RawBytes",
    "RevisionRow",
    "RevisionWriter",
    "Row",
    "Serial",
    "Small",
    "UInt",
    "UploadStash",
    "UserNewTalk",
    "UserRow",
    "WatchlistExpiry",
    "bounds",
    "chunked",
    "fetch_in",
    "fetch_keys",
    "index",
    "is_there",
    "keys_in",
    "lasting_id",
    "next_id",
    "phpvalues",
    "sha1_base36",
    "unique",
]
