"""The modules of ``action=query``, by what they are about.

A module declares by its base class whether it is a ``prop``, a ``list`` or a ``meta`` module.
"""

from __future__ import annotations

from wikiapi.api import QueryModule
from wikiapi_plugins.query import (
    categories,
    changes,
    external,
    files,
    links,
    pages,
    revisions,
    search,
    site,
    users,
)

MODULES: tuple[type[QueryModule], ...] = (
    *links.MODULES,
    *external.MODULES,
    *files.MODULES,
    *categories.MODULES,
    *pages.MODULES,
    *revisions.MODULES,
    *changes.MODULES,
    *users.MODULES,
    *search.MODULES,
    *site.MODULES,
)
