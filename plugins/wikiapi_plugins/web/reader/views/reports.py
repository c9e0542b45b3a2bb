"""Special pages with maintenance reports, which ``list=querypage`` returns as well."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from wikiapi.api import QueryPage, Report, cached_moment, report_of
from wikiapi.http import Reply
from wikiapi.store import Row
from wikiapi.store.queries import pages
from wikiapi.title import ALIASES, FILE, Title
from wikiapi_plugins.query.search.filereports import FILES_AND_REDIRECTS
from wikiapi_plugins.query.search.pagereports import COUNTS, PAGE_LISTS
from wikiapi_plugins.web.reader.context import ViewContext

_PER_PAGE = 100
_MOST = 10_000
"""The largest offset."""

REPORTS: Mapping[str, QueryPage] = {
    ALIASES[page.name][0]: page
    for page in (*PAGE_LISTS, *COUNTS, *FILES_AND_REDIRECTS)
    if page.right is None and page.read is None
}
"""The reports by the names of their special pages, except those that require a right."""

_BYTES = frozenset({"LongPages", "ShortPages"})
_LEADING = frozenset({"BrokenRedirects", "DoubleRedirects", "ListRedirects"})
"""Lists of redirects. The columns after the title are those of the target."""


class Line(NamedTuple):
    """An entry: a page, a note about it, and the target if it is a redirect."""

    title: Title
    is_missing: bool
    note: str
    target: Title | None


def show_report(context: ViewContext, title: Title) -> Reply:
    """Show the entries of a report from ``offset`` on. At most five queries."""
    name = context.site.special_pages.english_name(title.dbkey)
    offset = min(context.number("offset") or 0, _MOST)
    report = report_of(context.site, REPORTS[name], _PER_PAGE + 1, offset)
    rows = report.rows[:_PER_PAGE]
    make = context.site.titles.make
    keys = {(int(row[0]), str(row[1])) for row in rows}
    existing = pages.existing(context.db, keys) if keys else set()
    more = len(report.rows) > _PER_PAGE and offset + _PER_PAGE <= _MOST
    return context.render(
        "report.html",
        context.text(f"special-{name.lower()}"),
        lines=[
            Line(
                make(int(row[0]), str(row[1])),
                (int(row[0]), str(row[1])) not in existing and int(row[0]) != FILE,
                _note(context, name, row, is_cached=report.is_cached),
                None if report.is_cached else _target(context, name, row),
            )
            for row in rows
        ],
        notice=notice_of(context, report),
        offset=offset,
        first=context.special(name) if offset else "",
        following=context.special(name, offset=offset + _PER_PAGE) if more else "",
    )


def notice_of(context: ViewContext, report: Report) -> str:
    """Return a notice about the age of a cached report; an empty text if it is not cached."""
    if not report.is_cached:
        return ""
    if report.updated is None:
        return context.text("report-not-made")
    most = context.site.config.limits.query_cache_rows
    date, time = (context.format_time(report.updated, kind) for kind in ("date", "time"))
    return context.text("report-made", context.format_time(report.updated), most, date, time)


def _note(context: ViewContext, name: str, row: Row, *, is_cached: bool) -> str:
    page = REPORTS[name]
    if not page.has_value or row[2] is None:
        return ""
    if page.is_timestamp:
        return context.format_time(cached_moment(row[2]) if is_cached else str(row[2]))
    if name in _BYTES:
        return context.text("bytes", int(row[2]))
    return context.format_number(int(row[2]))


def _target(context: ViewContext, name: str, row: Row) -> Title | None:
    """Return the target of a redirect; ``None`` for other pages and for targets on other wikis."""
    if name not in _LEADING or row[3] is None or row[2] is None or int(row[2]) < 0:
        return None
    has_interwiki = name == "ListRedirects" and row[5]
    return None if has_interwiki else context.site.titles.make(int(row[2]), str(row[3]))
