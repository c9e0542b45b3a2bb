"""Special pages that list the results of a query, for ``list=querypage``.

In miser mode, the results of expensive ones come from the query cache. :func:`update_cache` fills
it, like MediaWiki's ``updateSpecialPages.php``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from wikiapi.registry import Registry, collect, own_name
from wikiapi.site import Site
from wikiapi.store.queries import querycache
from wikiapi.store.queries.querycache import CachedRow, replace_results
from wikiapi.store.sql.statements import Row
from wikiapi.timestamps import compact, moment_of

Namespaces = tuple[int, ...]
Run = Callable[[Any], list[Row]]
"""Runs a query and returns its rows."""


@dataclass(frozen=True, slots=True, eq=False)
class QueryPage:
    """A special page that lists the results of a query.

    Attributes:
        name: its name.
        query: returns the sorted query for a wiki with the given content namespaces. Its columns
            are namespace, title, the value if there is one, and further columns.
        has_value: whether there is a value.
        is_timestamp: whether the value is a timestamp.
        is_descending: whether the largest value comes first.
        is_expensive: whether the query reads a whole table, so that it is cached in miser mode.
        more: the names of the further columns in answers.
        right: the right required to see the page, if any.
        read: converts a row of the query to these columns, if necessary.
    """

    name: str
    query: Callable[[Namespaces], Any]
    has_value: bool = False
    is_timestamp: bool = False
    is_descending: bool = False
    is_expensive: bool = True
    more: tuple[str, ...] = ()
    right: str | None = None
    read: Callable[[Row], Row] | None = None


class Report(NamedTuple):
    """The results of a special page.

    Attributes:
        rows: namespace, title, the value if there is one, and further columns. Cached rows are
            (namespace, title, value), where timestamps are in seconds since 1970, and the value of
            a page without one is the position in the list.
        is_cached: whether the rows come from the query cache.
        updated: the time when they were computed (14 digits); ``None`` if never.
    """

    rows: list[Row]
    is_cached: bool = False
    updated: str | None = None


def query_pages(site: Site) -> Registry[QueryPage]:
    """Return the special pages of a site that list the results of a query, by name."""
    return site.derived(_registered)


def _registered(site: Site) -> Registry[QueryPage]:
    return collect(site.plugins, "register_query_pages", own_name, site=site)


def report_of(
    site: Site, page: QueryPage, limit: int, offset: int = 0, run: Run | None = None
) -> Report:
    """Return the results of a special page from ``offset`` on. Up to three queries.

    ``run`` runs the query if the results are not cached; by default the store runs it.
    """
    if page.is_expensive and site.is_miser:
        rows = querycache.results(site.db, page.name, limit, offset, descending=page.is_descending)
        return Report(list(rows), True, querycache.updated(site.db, page.name))
    return Report(_computed(site, page, limit, offset, run or site.db.execute))


def _computed(site: Site, page: QueryPage, limit: int, offset: int, run: Run) -> list[Row]:
    rows = run(page.query(site.namespaces.content).limit(limit).offset(offset))
    return rows if page.read is None else list(map(page.read, rows))


def update_cache(site: Site, page: QueryPage) -> int:
    """Compute the results of a special page and store them in the cache; return their number.

    At most ``limits.query_cache_rows`` are stored.
    """
    rows = _computed(site, page, site.config.limits.query_cache_rows, 0, site.db.execute)
    cached = [
        CachedRow(namespace, title, _cached_value(page, values, place))
        for place, (namespace, title, *values) in enumerate(rows)
    ]
    replace_results(site.db, page.name, compact(site.clock()), cached)
    return len(cached)


def _cached_value(page: QueryPage, values: Row | list[Any], place: int) -> int:
    if not page.has_value:
        return place
    if page.is_timestamp:
        # The column cannot store negative numbers.
        return max(0, int(moment_of(str(values[0])).timestamp()))
    return int(values[0])


def cached_moment(value: int) -> str:
    """Return a cached value as a timestamp of 14 digits."""
    return compact(datetime.fromtimestamp(value, UTC))


def update_caches(site: Site) -> None:
    """Update the query cache of a wiki in miser mode, where it is more than a day old."""
    if not site.is_miser:
        return
    yesterday = compact(site.clock() - timedelta(days=1))
    for page in query_pages(site).values():
        if page.is_expensive and (querycache.updated(site.db, page.name) or "") < yesterday:
            update_cache(site, page)
