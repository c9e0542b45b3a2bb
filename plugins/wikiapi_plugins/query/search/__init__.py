"""Finding pages: full-text search, search by the beginning of titles, and maintenance reports."""

from __future__ import annotations

from wikiapi.api import QueryModule
from wikiapi.api import QueryPage as SpecialPage
from wikiapi_plugins.query.search.filereports import FILES_AND_REDIRECTS
from wikiapi_plugins.query.search.pagereports import COUNTS, PAGE_LISTS
from wikiapi_plugins.query.search.prefixsearch import PrefixSearch
from wikiapi_plugins.query.search.querypage import QueryPage
from wikiapi_plugins.query.search.search import Search

MODULES: tuple[type[QueryModule], ...] = (
    PrefixSearch,
    QueryPage,
    Search,
)
QUERY_PAGES: tuple[SpecialPage, ...] = (*PAGE_LISTS, *COUNTS, *FILES_AND_REDIRECTS)
