"""Finding pages: by words, by the beginning of a title, by what is amiss with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi_plugins.query.search.prefixsearch import PrefixSearch
from wikiapi_plugins.query.search.querypage import QueryPage
from wikiapi_plugins.query.search.search import Search

if TYPE_CHECKING:
    from wikiapi.api import QueryModule

MODULES: tuple[type[QueryModule], ...] = (
    PrefixSearch,
    QueryPage,
    Search,
)
