"""``list=protectedtitles``."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from itertools import repeat
from operator import and_
from typing import Any, NamedTuple

from peewee import JOIN

from wikiapi.api import (
    GeneratedPages,
    ListModule,
    Obj,
    continuation,
    direction,
    enum,
    iso,
    limit,
    namespace,
    timestamp,
    title_data,
)
from wikiapi.expiry import INFINITY
from wikiapi.store import bounds
from wikiapi.store.models import Comment
from wikiapi.store.models import ProtectedTitles as Table
from wikiapi.store.models import User as Accounts
from wikiapi.wikitext import format_comments
from wikiapi_plugins.query.authorship import users_visible_to
from wikiapi_plugins.query.timeline import moment_part

_ORDER = (Table.pt_timestamp, Table.pt_namespace, Table.pt_title)


class ProtectedTitle(NamedTuple):
    """A protected title, with user and reason; ``user`` and ``user_id`` are None if hidden."""

    timestamp: str
    namespace: int
    title: str
    level: str
    expiry: str | None
    user_id: int | None
    user: str | None
    comment: str


class ProtectedTitles(ListModule):
    """List the titles under which pages may not be created."""

    name = "protectedtitles"
    prefix = "pt"
    element = "protectedtitle"
    params = (
        namespace(help="Only titles in these namespaces.", multi=True),
        enum("level", choices=lambda site: site.config.permissions.protection_levels, multi=True,
             help="Only titles with these levels of protection."),
        limit(),
        direction(),
        timestamp("start", "The moment of protection to begin with."),
        timestamp("end", "The moment of protection to end with."),
        enum("prop", "timestamp", "user", "userid", "comment", "parsedcomment", "expiry", "level",
             multi=True, default="timestamp|level", help="Properties to include besides the title.",
             value_help=(("timestamp", "When it was protected."), ("user", "By whom."),
                         ("userid", "By whom, as an id."), ("comment", "Why."),
                         ("parsedcomment", "Why, as HTML."), ("expiry", "Until when."),
                         ("level", "Who may still create it."))),
        continuation(),
    )  # fmt: skip
    examples = (
        ("action=query&list=protectedtitles", "Protected titles"),
        ("action=query&generator=protectedtitles&gptnamespace=0&prop=linkshere",
         "Links to protected titles"),
    )  # fmt: skip
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Protectedtitles",)

    def execute(self) -> None:
        """List the titles."""
        rows, props = self._rows(), {*self.p.texts("prop")}
        titles = [self.site.titles.make(row.namespace, row.title) for row in rows[: self.limit]]
        html: Iterable[str] = repeat("")
        if "parsedcomment" in props:
            comments = [(row.comment, title) for row, title in zip(rows, titles, strict=False)]
            html = format_comments(self.site.parser, comments)
        if "user" in props:
            # For compatibility, ``user`` includes the id.
            props.add("userid")
        items = []
        for row, title, markup in zip(rows, titles, html, strict=False):
            expiry = row.expiry or INFINITY
            data = {
                "timestamp": iso(row.timestamp),
                "user": row.user,
                "userid": row.user_id,
                "comment": row.comment,
                "parsedcomment": markup,
                "expiry": expiry if expiry == INFINITY else iso(expiry),
                "level": row.level,
            }
            requested = {key: data[key] for key in data if key in props and data[key] is not None}
            items.append(Obj(title_data(title) | requested))
        self.emit(items, rows, _continue_value)

    def generate(self, pages: GeneratedPages) -> None:
        """Yield the titles."""
        rows = self.within_limit(self._rows(), _continue_value)
        pages.titles += [self.site.titles.make(row.namespace, row.title) for row in rows]

    def _rows(self) -> list[ProtectedTitle]:
        descending = self.p.text("dir") != "newer"
        ends = (self.p.text_or_none("start"), self.p.text_or_none("end"))
        conditions = bounds.between(Table.pt_timestamp, *ends, descending=descending)
        if self.p.numbers("namespace"):
            conditions.append(Table.pt_namespace.in_(self.p.numbers("namespace")))
        if self.p.texts("level"):
            conditions.append(Table.pt_create_perm.in_(self.p.texts("level")))
        if parts := self.continue_parts(3):
            values = [moment_part(parts[0]), self.continue_int(parts[1]), parts[2]]
            conditions.append(bounds.starting_at(_ORDER, values, descending=descending))
        columns = (Table.pt_create_perm, Table.pt_expiry, Accounts.user_id, Accounts.user_name)
        visible = users_visible_to(self.context.user, Accounts.user_id)
        is_visible_user = reduce(and_, visible, Accounts.user_id == Table.pt_user)
        query: Any = (
            Table.select(*_ORDER, *columns, Comment.comment_text)
            .join_from(Table, Accounts, JOIN.LEFT_OUTER, on=is_visible_user)
            .join_from(Table, Comment, on=(Comment.comment_id == Table.pt_reason_id))
        )
        query = query.where(*conditions) if conditions else query
        query = bounds.ordered(query, *_ORDER, descending=descending)
        return [ProtectedTitle(*row) for row in self.rows(query.limit(self.p.number("limit") + 1))]


def _continue_value(row: ProtectedTitle) -> str:
    return f"{row.timestamp}|{row.namespace}|{row.title}"
