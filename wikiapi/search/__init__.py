"""The search: pages for a query, the best first, and suggestions while one is typing.

The reader, ``wikiapi search``, ``OpenWiki.search`` and the MCP server all rank with it. The actions
and lists of the API use its query language, but answer in MediaWiki's order.
"""

from __future__ import annotations

from wikiapi.search.excerpts import Part
from wikiapi.search.prefixes import prefix_search
from wikiapi.search.query import near_match, parse_query
from wikiapi.search.ranking import default_namespaces
from wikiapi.search.results import Hit, SearchResults, search
from wikiapi.search.suggestions import Suggestion, similar_titles, suggestions

__all__ = [
    "Hit",
    "Part",
    "SearchResults",
    "Suggestion",
    "default_namespaces",
    "near_match",
    "parse_query",
    "prefix_search",
    "search",
    "similar_titles",
    "suggestions",
]
