"""The lists of subcategories, pages and files on the page of a category."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from wikiapi.store import CategoryRow
from wikiapi.store.models import CategoryLinks
from wikiapi.store.queries import categories
from wikiapi.store.sql.bounds import ordered, starting_at
from wikiapi.title import CATEGORY, Title
from wikiapi_plugins.web.reader.context import ViewContext
from wikiapi_plugins.web.reader.views.file import Picture, file_thumbnails

_PER_LIST = 200
_PLACE = re.compile(r"([0-9a-f]{0,1000})\.([0-9]{1,15})\Z", re.ASCII)
_PARAMS = {"subcat": "subcatfrom", "page": "pagefrom", "file": "filefrom"}


class Member(NamedTuple):
    """A page in the category, and the letter under which it is listed."""

    title: Title
    letter: str


@dataclass(frozen=True, slots=True)
class Members:
    """One part of the list of members of a kind.

    ``place`` is the position at which the next part begins, empty if there is none; ``total`` is
    the number of members in all parts.
    """

    kind: str
    param: str
    members: tuple[Member, ...]
    place: str
    total: int
    is_first: bool

    def letters(self) -> list[tuple[str, list[Title]]]:
        """Return the members, grouped by letter."""
        groups: dict[str, list[Title]] = {}
        for member in self.members:
            groups.setdefault(member.letter, []).append(member.title)
        return list(groups.items())


@dataclass(frozen=True, slots=True)
class CategoryView:
    """The lists of a category, and the thumbnails of the files in them."""

    lists: tuple[Members, ...]
    pictures: dict[Title, Picture]


def category_view(context: ViewContext, title: Title) -> CategoryView | None:
    """Return the members of a category; ``None`` for other pages and empty categories.

    Four queries, and those for the thumbnails of files.
    """
    if title.ns != CATEGORY:
        return None
    counts = categories.by_titles(context.db, [title.dbkey]).get(title.dbkey)
    lists = tuple(_members(context, title, kind, counts) for kind in _PARAMS)
    shown = tuple(part for part in lists if part.members)
    if not shown:
        return None
    files = [member.title for part in shown if part.kind == "file" for member in part.members]
    return CategoryView(shown, file_thumbnails(context, files))


def _members(context: ViewContext, title: Title, kind: str, counts: CategoryRow | None) -> Members:
    param = _PARAMS[kind]
    columns = (CategoryLinks.cl_sortkey, CategoryLinks.cl_from)
    query = categories.members(title.dbkey).where(CategoryLinks.cl_type == kind)
    match = _PLACE.match(context.param(param))
    if match and len(match[1]) % 2 == 0:
        start = categories.sort_key_value(bytes.fromhex(match[1])), int(match[2])
        query = query.where(starting_at(columns, start))
    rows = context.db.execute(ordered(query, *columns).limit(_PER_LIST + 1))
    place = f"{bytes(rows[_PER_LIST][2]).hex()}.{rows[_PER_LIST][0]}" if rows[_PER_LIST:] else ""
    members = tuple(_member(context, row) for row in rows[:_PER_LIST])
    total = _total(kind, counts) or len(members)
    return Members(kind, param, members, place, total, match is None)


def _member(context: ViewContext, row: tuple[object, ...]) -> Member:
    namespace, dbkey = row[6], row[7]
    title = context.site.titles.make(int(str(namespace)), str(dbkey))
    return Member(title, (str(row[3] or "") or title.text)[:1].upper())


def _total(kind: str, counts: CategoryRow | None) -> int:
    if counts is None:
        return 0
    others = counts.subcats + counts.files
    return {"subcat": counts.subcats, "file": counts.files}.get(kind, counts.pages - others)
