"""``list=protectedtitles``."""

from __future__ import annotations

from functools import reduce
from operator import and_
from typing import Any, NamedTuple

from peewee import JOIN

from wikiapi.accounts import User
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
        enum("level", "autoconfirmed", "sysop", multi=True,
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
        found = self._found()
        comments = self._comments(found[: self.limit])
        items = (self._item(row, html) for row, html in zip(found, comments, strict=False))
        self.emit(items, found, _continue_value)

    def generate(self, pages: GeneratedPages) -> None:
        """Yield the titles."""
        found = self.within_limit(self._found(), _continue_value)
        pages.titles += [self.site.titles.make(row.namespace, row.title) for row in found]

    def _found(self) -> list[ProtectedTitle]:
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
        query = _select(self.context.user)
        query = query.where(*conditions) if conditions else query
        query = bounds.ordered(query, *_ORDER, descending=descending)
        return [ProtectedTitle(*row) for row in self.rows(query.limit(self.p.number("limit") + 1))]

    def _comments(self, found: list[ProtectedTitle]) -> list[str]:
        if "parsedcomment" not in self.p.texts("prop"):
            return [""] * len(found)
        make = self.site.titles.make
        comments = [(row.comment, make(row.namespace, row.title)) for row in found]
        return format_comments(self.site.parser, comments)

    def _item(self, row: ProtectedTitle, html: str) -> Obj:
        data = {
            "timestamp": iso(row.timestamp),
            "user": row.user,
            "userid": row.user_id,
            "comment": row.comment,
            "parsedcomment": html,
            "expiry": _expiry(row.expiry),
            "level": row.level,
        }
        item = Obj(title_data(self.site.titles.make(row.namespace, row.title)))
        props = set(self.p.texts("prop"))
        # For compatibility, ``user`` includes the id.
        props |= {"userid"} if "user" in props else set()
        item |= {key: value for key, value in data.items() if key in props and value is not None}
        return item


def _expiry(expiry: str | None) -> str:
    return iso(expiry) if expiry and expiry != INFINITY else INFINITY


def _continue_value(row: ProtectedTitle) -> str:
    return f"{row.timestamp}|{row.namespace}|{row.title}"


def _select(reader: User) -> Any:
    columns = (Table.pt_create_perm, Table.pt_expiry, Accounts.user_id, Accounts.user_name)
    visible = [Accounts.user_id == Table.pt_user, *users_visible_to(reader, Accounts.user_id)]
    return (
        Table.select(*_ORDER, *columns, Comment.comment_text)
        .join_from(Table, Accounts, JOIN.LEFT_OUTER, on=reduce(and_, visible))
        .join_from(Table, Comment, on=(Comment.comment_id == Table.pt_reason_id))
    )
