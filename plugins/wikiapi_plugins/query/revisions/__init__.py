"""Revisions of pages, deleted ones included."""

from __future__ import annotations

from wikiapi.api import QueryModule
from wikiapi_plugins.query.revisions.alldeletedrevisions import AllDeletedRevisions
from wikiapi_plugins.query.revisions.allrevisions import AllRevisions
from wikiapi_plugins.query.revisions.deletedrevisions import DeletedRevisions
from wikiapi_plugins.query.revisions.deletedrevs import DeletedRevs
from wikiapi_plugins.query.revisions.revisions import Revisions

MODULES: tuple[type[QueryModule], ...] = (
    AllDeletedRevisions,
    AllRevisions,
    DeletedRevisions,
    DeletedRevs,
    Revisions,
)
