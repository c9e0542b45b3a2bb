"""``list=protectedtitles``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from peewee import JOIN

from wikiapi.api.params.declaration import (
    continuation,
    direction,
    enum,
    limit,
    namespace,
    timestamp,
)
from wikiapi.api.params.types.timestamp import iso
from wikiapi.api.query.module import ListModule
from wikiapi.api.query.output import title_data
from wikiapi.api.result import Obj
from wikiapi.store import bounds
from wikiapi.store.models import Comment, User
from wikiapi.store.models import ProtectedTitles as Table
from wikiapi.store.visibility import not_hidden_user
from wikiapi.wikitext.comment import format_comments
from wikiapi_plugins.query.timeline import moment_part

if TYPE_CHECKING:
    from wikiapi.api.query.pageset import GeneratedPages
    from wikiapi.store.statements import Row

_ORDER = (Table.pt_timestamp, Table.pt_namespace, Table.pt_title)
_INFINITY = "infinity"


class ProtectedTitles(ListModule):
    """List all titles protected from creation."""

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
             multi=True, default="timestamp|level", help="What to tell beside the title.",
             value_help=(("timestamp", "When it was protected."), ("user", "By whom."),
                         ("userid", "By whom, as an id."), ("comment", "Why."),
                         ("parsedcomment", "Why, as HTML."), ("expiry", "Until when."),
                         ("level", "Who may create it all the same."))),
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
        rows = self._found()
        comments = iter(self._comments(rows[: self.p["limit"]]))
        self.result.list(("query", self.name), self.element)
        self.page_through(
            rows,
            self.p["limit"],
            _position,
            lambda row: self.add_item(self._item(row, next(comments))),
        )

    def generate(self, pages: GeneratedPages) -> None:
        """Yield the titles."""

        def add(row: Row) -> bool:
            pages.titles.append(self.site.titles.make(row[1], row[2]))
            return True

        self.page_through(self._found(), self.p["limit"], _position, add)

    def _found(self) -> list[Row]:
        descending = self.p["dir"] != "newer"
        ends = (self.p["start"], self.p["end"])
        conditions = bounds.between(Table.pt_timestamp, *ends, descending=descending)
        if self.p["namespace"]:
            conditions.append(Table.pt_namespace.in_(self.p["namespace"]))
        if self.p["level"]:
            conditions.append(Table.pt_create_perm.in_(self.p["level"]))
        if parts := self.continue_parts(3):
            values = [moment_part(parts[0]), self.continue_int(parts[1]), parts[2]]
            conditions.append(bounds.starting_at(_ORDER, values, descending=descending))
        query = _select().where(*conditions) if conditions else _select()
        query = bounds.ordered(query, *_ORDER, descending=descending)
        return self.rows(query.limit(self.p["limit"] + 1))

    def _comments(self, rows: list[Row]) -> list[str]:
        if "parsedcomment" not in self.p["prop"]:
            return [""] * len(rows)
        titles = self.site.titles
        return format_comments(self.site, [(row[-1], titles.make(row[1], row[2])) for row in rows])

    def _item(self, row: Row, html: str) -> Obj:
        moment, namespace_id, name, level, expiry, user_id, user, comment = row
        told = {
            "timestamp": iso(moment),
            "user": user,
            "userid": user_id,
            "comment": comment,
            "parsedcomment": html,
            "expiry": _INFINITY if expiry in (None, "", _INFINITY) else iso(expiry),
            "level": level,
        }
        item = Obj(title_data(self.site.titles.make(namespace_id, name)))
        asked = self.p["prop"]
        item |= {key: value for key, value in told.items() if key in asked and value is not None}
        return item


def _position(row: Row) -> str:
    return f"{row[0]}|{row[1]}|{row[2]}"


def _select() -> Any:
    columns = (Table.pt_create_perm, Table.pt_expiry, User.user_id, User.user_name)
    visible = (User.user_id == Table.pt_user) & not_hidden_user(User.user_id)
    return (
        Table.select(*_ORDER, *columns, Comment.comment_text)
        .join_from(Table, User, JOIN.LEFT_OUTER, on=visible)
        .join_from(Table, Comment, on=(Comment.comment_id == Table.pt_reason_id))
    )
