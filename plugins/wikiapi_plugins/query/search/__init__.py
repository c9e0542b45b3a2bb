"""Finding pages: by words, by the beginning of a title, by what is amiss with them."""

from __future__ import annotations

from wikiapi.api import QueryModule
from wikiapi_plugins.query.search.prefixsearch import PrefixSearch
from wikiapi_plugins.query.search.querypage import QueryPage
from wikiapi_plugins.query.search.search import Search

MODULES: tuple[type[QueryModule], ...] = (
    PrefixSearch,
    QueryPage,
    Search,
)
