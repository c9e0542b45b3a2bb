"""``Special:Statistics`` and ``Special:ListFiles``: how much there is, and which files."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from markupsafe import Markup

from wikiapi.http import Reply
from wikiapi.store.models import Image
from wikiapi.store.queries import files, sitestats
from wikiapi.store.queries.files import FileVersion
from wikiapi.store.queries.visibility import COMMENT, USER, is_hidden
from wikiapi.store.sql.bounds import ordered, starting_at
from wikiapi.title import FILE, Title
from wikiapi.wikitext import format_comments
from wikiapi_plugins.web.reader.context import ViewContext
from wikiapi_plugins.web.reader.views.file import Picture, file_thumbnails

_PER_PAGE = 50
_POSITION = re.compile(r"([0-9]{14})\.([^\x00]{1,255})\Z", re.ASCII | re.DOTALL)


class Count(NamedTuple):
    """A row of the statistics; ``url`` is empty if there is no list of what is counted."""

    label: str
    number: str
    url: str


COUNTED: Mapping[str, tuple[str, str]] = {
    "articles": ("articles", "AllPages"),
    "pages": ("pages", "AllPages"),
    "files": ("images", "ListFiles"),
    "edits": ("edits", "RecentChanges"),
    "users": ("users", ""),
    "active-users": ("active_users", ""),
}
"""What is shown: the counter of each, and the special page that lists what is counted."""


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


class Listed(NamedTuple):
    """A file of the list; ``user`` is empty if the name is hidden."""

    title: Title
    version: FileVersion
    picture: Picture | None
    user: str
    comment: Markup


def show_files(context: ViewContext, _: Title) -> Reply:
    """Show the newest files from the position in ``from`` on, in a number of queries."""
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
