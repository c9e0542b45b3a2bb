"""Batched queries, with a module for each subject.

Functions take the database as their first argument, and any number of keys; rows are never queried
one at a time.
"""

from __future__ import annotations

from wikiapi.store.queries import (
    categories,
    externallinks,
    files,
    links,
    logs,
    pages,
    protection,
    rarity,
    recentchanges,
    redirects,
    revisions,
    search,
    sitestats,
    slots,
    storestate,
    tags,
    texts,
    users,
    visibility,
)
from wikiapi.store.queries.categories import by_titles
from wikiapi.store.queries.files import SELECT_FILES, ArchivedFile, FileVersion, Span, read_current
from wikiapi.store.queries.links import LinkTable
from wikiapi.store.queries.logs import LogRow
from wikiapi.store.queries.pages import PAGE_COLUMNS, SELECT_PAGES
from wikiapi.store.queries.protection import Restriction
from wikiapi.store.queries.recentchanges import ChangeRow
from wikiapi.store.queries.redirects import RedirectRow
from wikiapi.store.queries.slots import SlotRow
from wikiapi.store.queries.texts import PageText, RevisionText
from wikiapi.store.queries.users import GroupRow

__all__ = [
    "PAGE_COLUMNS",
    "SELECT_FILES",
    "SELECT_PAGES",
    "ArchivedFile",
    "ChangeRow",
    "FileVersion",
    "GroupRow",
    "LinkTable",
    "LogRow",
    "PageText",
    "RedirectRow",
    "Restriction",
    "RevisionText",
    "SlotRow",
    "Span",
    "by_titles",
    "categories",
    "externallinks",
    "files",
    "links",
    "logs",
    "pages",
    "protection",
    "rarity",
    "read_current",
    "recentchanges",
    "redirects",
    "revisions",
    "search",
    "sitestats",
    "slots",
    "storestate",
    "tags",
    "texts",
    "users",
    "visibility",
]
