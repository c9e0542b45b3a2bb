"""Special pages about the whole wiki: maintenance reports, statistics, files and software."""

from __future__ import annotations

import platform
import re
from collections.abc import Mapping
from typing import NamedTuple

from markupsafe import Markup

from wikiapi import __version__
from wikiapi.api import QueryPage, Report, cached_moment, report_of
from wikiapi.http import Reply
from wikiapi.store import Row, bounds
from wikiapi.store.models import Image
from wikiapi.store.queries import FileVersion, files, pages, sitestats, visibility
from wikiapi.title import ALIASES, FILE, Title
from wikiapi.wikitext import format_comments
from wikiapi_plugins.query.search.filereports import FILES_AND_REDIRECTS, MEDIA_STATISTICS
from wikiapi_plugins.query.search.pagereports import COUNTS, PAGE_LISTS
from wikiapi_plugins.query.site.siteinstall import extension_credits
from wikiapi_plugins.web.reader.context import ViewContext
from wikiapi_plugins.web.reader.views.file import Picture, file_thumbnails

_ROWS_PER_PAGE = 100
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
    report = report_of(context.site, REPORTS[name], _ROWS_PER_PAGE + 1, offset)
    rows = report.rows[:_ROWS_PER_PAGE]
    make = context.site.titles.make
    keys = {(int(row[0]), str(row[1])) for row in rows}
    existing = pages.existing(context.db, keys) if keys else set()
    more = len(report.rows) > _ROWS_PER_PAGE and offset + _ROWS_PER_PAGE <= _MOST
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
        following=context.special(name, offset=offset + _ROWS_PER_PAGE) if more else "",
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


_FILES_PER_PAGE = 50
_MAX_TYPES = 1_000
_POSITION = re.compile(r"([0-9]{14})\.([^\x00]{1,255})\Z", re.ASCII | re.DOTALL)


class Count(NamedTuple):
    """A row of the statistics; ``url`` is that of a list of the counted items, or empty."""

    label: str
    number: str
    url: str


COUNTED: Mapping[str, tuple[str, str]] = {
    "articles": ("articles", "AllPages"),
    "pages": ("pages", "AllPages"),
    "files": ("images", "ListFiles"),
    "edits": ("edits", "RecentChanges"),
    "users": ("users", "ListUsers"),
    "active-users": ("active_users", ""),
}
"""The rows: for each, the name of its counter, and the special page that lists the items."""


def show_statistics(context: ViewContext, _: Title) -> Reply:
    """Show the counters of the wiki. One query."""
    counts = sitestats.statistics(context.db)
    return context.render(
        "statistics.html",
        context.text("special-statistics"),
        counts=[
            Count(
                context.text(f"count-{name}"),
                context.format_number(getattr(counts, counter)),
                context.special(special) if special else "",
            )
            for name, (counter, special) in COUNTED.items()
        ],
    )


KINDS = (
    *("bitmap", "drawing", "audio", "video", "multimedia", "3d"),
    *("office", "text", "archive", "executable", "unknown"),
)
"""The kinds of files, as the store names them, in the order in which they are shown."""


class TypeCount(NamedTuple):
    """The number and total size of the files of one MIME type."""

    name: str
    number: int
    size: int


class KindCount(NamedTuple):
    """The MIME types of one kind."""

    label: str
    types: list[TypeCount]


def show_media(context: ViewContext, title: Title) -> Reply:
    """Show the number and total size of the files of each type. At most two queries."""
    report = report_of(context.site, MEDIA_STATISTICS, _MAX_TYPES)
    kinds: dict[str, list[TypeCount]] = {kind: [] for kind in KINDS}
    for _, joined, *_values in report.rows:
        kind, name, number, size = str(joined).split(";")
        types = kinds.get(kind.lower(), kinds["unknown"])
        types.append(TypeCount(name, int(number), int(size)))
    present = {kind: types for kind, types in kinds.items() if types}
    every = [one for types in present.values() for one in types]
    return context.render(
        "mediastatistics.html",
        context.text("special-mediastatistics"),
        kinds=[KindCount(context.text(f"media-{kind}"), types) for kind, types in present.items()],
        number=sum(one.number for one in every),
        size=sum(one.size for one in every),
        notice=notice_of(context, report),
    )


class Listed(NamedTuple):
    """A file in the list; ``user`` is empty if the user name is hidden."""

    title: Title
    version: FileVersion
    picture: Picture | None
    user: str
    comment: Markup


def show_files(context: ViewContext, _: Title) -> Reply:
    """Show the newest files from the position in ``from`` on."""
    columns = (Image.img_timestamp, Image.img_name)
    query = files.SELECT_FILES
    position = _POSITION.match(context.param("from"))
    if position:
        query = query.where(
            bounds.starting_at(columns, (position[1], position[2]), descending=True)
        )
    rows = context.db.execute(
        bounds.ordered(query, *columns, descending=True).limit(_FILES_PER_PAGE + 1)
    )
    versions = [files.read_current(row) for row in rows]
    titles = [
        context.site.titles.make(FILE, version.name) for version in versions[:_FILES_PER_PAGE]
    ]
    pictures = file_thumbnails(context, titles)
    users = [
        "" if visibility.is_hidden(version.deleted, visibility.USER) else version.user_name or ""
        for version in versions
    ]
    comments = format_comments(
        context.site.parser,
        [
            (
                ""
                if visibility.is_hidden(version.deleted, visibility.COMMENT)
                else version.comment or "",
                title,
            )
            for version, title in zip(versions, titles, strict=False)
        ],
    )
    listed = [
        Listed(title, version, pictures.get(title), user, Markup(comment))  # noqa: S704
        for title, version, user, comment in zip(titles, versions, users, comments, strict=False)
    ]
    older = versions[_FILES_PER_PAGE] if versions[_FILES_PER_PAGE:] else None
    place = {"from": f"{older.timestamp}.{older.name}"} if older else {}
    return context.render(
        "listfiles.html",
        context.text("special-listfiles"),
        people=[entry.user for entry in listed],
        listed=listed,
        first=context.special("ListFiles") if position else "",
        following=context.special("ListFiles", **place) if older else "",
    )


class Software(NamedTuple):
    """A program and its version."""

    name: str
    version: str


def show_version(context: ViewContext, _: Title) -> Reply:
    """Show the MediaWiki version reported to clients, the software versions and the extensions."""
    name, _space, version = context.site.config.site.generator.partition(" ")
    return context.render(
        "version.html",
        context.text("version"),
        software=[
            Software(name, version),
            Software("wikiapi", __version__),
            Software("Python", platform.python_version()),
            Software(str(context.db.dialect.name), context.db.server_version),
        ],
        extensions=extension_credits(context.site),
    )
