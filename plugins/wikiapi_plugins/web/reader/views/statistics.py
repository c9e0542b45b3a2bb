"""``Special:Statistics``, ``Special:MediaStatistics`` and ``Special:ListFiles``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from markupsafe import Markup

from wikiapi.api import report_of
from wikiapi.http import Reply
from wikiapi.store.models import Image
from wikiapi.store.queries import files, sitestats
from wikiapi.store.queries.files import FileVersion
from wikiapi.store.queries.visibility import COMMENT, USER, is_hidden
from wikiapi.store.sql.bounds import ordered, starting_at
from wikiapi.title import FILE, Title
from wikiapi.wikitext import format_comments
from wikiapi_plugins.query.search.filereports import MEDIA_STATISTICS
from wikiapi_plugins.web.reader.context import ViewContext
from wikiapi_plugins.web.reader.views.file import Picture, file_thumbnails
from wikiapi_plugins.web.reader.views.reports import notice_of

_PER_PAGE = 50
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
    told = sitestats.statistics(context.db)
    return context.render(
        "statistics.html",
        context.text("special-statistics"),
        counts=[
            Count(
                context.text(f"count-{name}"),
                context.format_number(getattr(told, counter)),
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
    for _, told, *_values in report.rows:
        kind, name, number, size = str(told).split(";")
        types = kinds.get(kind.lower(), kinds["unknown"])
        types.append(TypeCount(name, int(number), int(size)))
    shown = {kind: types for kind, types in kinds.items() if types}
    every = [one for types in shown.values() for one in types]
    return context.render(
        "mediastatistics.html",
        context.text("special-mediastatistics"),
        kinds=[KindCount(context.text(f"media-{kind}"), types) for kind, types in shown.items()],
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
        query = query.where(starting_at(columns, (position[1], position[2]), descending=True))
    rows = context.db.execute(ordered(query, *columns, descending=True).limit(_PER_PAGE + 1))
    versions = [files.read_current(row) for row in rows]
    titles = [context.site.titles.make(FILE, version.name) for version in versions[:_PER_PAGE]]
    pictures = file_thumbnails(context, titles)
    comments = format_comments(
        context.site.parser,
        [
            ("" if is_hidden(version.deleted, COMMENT) else version.comment or "", title)
            for version, title in zip(versions, titles, strict=False)
        ],
    )
    listed = [
        Listed(title, version, pictures.get(title), _user(version), Markup(comment))  # noqa: S704
        for title, version, comment in zip(titles, versions, comments, strict=False)
    ]
    older = versions[_PER_PAGE] if versions[_PER_PAGE:] else None
    place = {"from": f"{older.timestamp}.{older.name}"} if older else {}
    return context.render(
        "listfiles.html",
        context.text("special-listfiles"),
        people=[entry.user for entry in listed],
        listed=listed,
        first=context.special("ListFiles") if position else "",
        following=context.special("ListFiles", **place) if older else "",
    )


def _user(version: FileVersion) -> str:
    return "" if is_hidden(version.deleted, USER) else version.user_name or ""
