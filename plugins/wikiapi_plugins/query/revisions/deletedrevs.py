"""``list=deletedrevs``, the predecessor of two modules; it requires ``deletedhistory``."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from peewee import fn

from wikiapi.api import (
    Arr,
    Condition,
    ListModule,
    Obj,
    boolean,
    continuation,
    direction,
    enum,
    iso,
    limit,
    namespace,
    string,
    timestamp,
    user,
)
from wikiapi.errors import ApiError
from wikiapi.languages import Message, Plain
from wikiapi.store import RevisionRow, bounds, keys_in
from wikiapi.store.models import Archive
from wikiapi.store.queries import revisions, slots, tags, texts, visibility
from wikiapi_plugins.query.authorship import (
    comment_data,
    hidden_flags,
    parsed_comments,
    readable_revision_bits,
    suppressed_flag,
    user_data,
)
from wikiapi_plugins.query.revisions.allrevisions import emit_by_page
from wikiapi_plugins.query.revisions.revisionitems import hex_sha1
from wikiapi_plugins.query.timeline import Timeline, is_descending, moment_part
from wikiapi_plugins.query.titlepart import title_conditions
from wikiapi_plugins.query.userfilter import KINDS, by_user

_TIMELINE = Timeline(Archive.ar_timestamp, Archive.ar_id)
_BY_TITLE = (Archive.ar_namespace, Archive.ar_title, Archive.ar_timestamp, Archive.ar_id)
_OF_ALL = ("from", "to", "prefix")
_OF_SOME = ("start", "end")
_TITLES, _BY_USER, _ALL_PAGES = 1, 2, 3
"""The numbers of the three modes of the module."""


def _modes(*numbers: int) -> tuple[Condition, ...]:
    """Return the condition that the module works in one of these modes."""
    return (Condition("modes", f"Modes: {', '.join(map(str, numbers))}", numbers),)


class DeletedRevs(ListModule):
    """List deleted revisions.

    There are three modes: 1. for given titles, 2. for one user, 3. for all pages of a namespace.
    """

    name = "deletedrevs"
    prefix = "dr"
    element = "page"
    is_deprecated = True
    params = (
        timestamp("start", "The time to begin with.", info=_modes(_TITLES, _BY_USER)),
        timestamp("end", "The time to end with.", info=_modes(_TITLES, _BY_USER)),
        direction(info=_modes(_TITLES, _ALL_PAGES)),
        string("from", "The title to begin with.", info=_modes(_ALL_PAGES)),
        string("to", "The title to end with.", info=_modes(_ALL_PAGES)),
        string("prefix", "Only titles that begin with this text.", info=_modes(_ALL_PAGES)),
        boolean("unique", "List one revision of each page.", info=_modes(_ALL_PAGES)),
        namespace(help="Only pages in this namespace.", default="0", info=_modes(_ALL_PAGES)),
        string("tag", "Only revisions with this tag."),
        user("user", "Only revisions by this user.", kinds=KINDS),
        user("excludeuser", "No revisions by this user.", kinds=KINDS),
        enum("prop", "revid", "parentid", "user", "userid", "comment", "parsedcomment", "minor",
             "len", "sha1", "content", "token", "tags", multi=True, default="user|comment",
             deprecated_values=("token",), help="Properties of each revision to include.",
             value_help=(("revid", "Its id."),
                         ("parentid", "The id of the previous revision."),
                         ("user", "Who made it."),
                         ("userid", "Who made it, as an id."),
                         ("comment", "The summary."),
                         ("parsedcomment", "The summary as HTML."),
                         ("minor", "Whether it is minor."),
                         ("len", "Its length in bytes."),
                         ("sha1", "Its SHA-1."),
                         ("content", "Its text; requires a further right."),
                         ("token", "No longer returned."),
                         ("tags", "Its tags."))),
        limit("How many revisions to return."),
        continuation(),
    )  # fmt: skip
    examples = (
        ("action=query&list=deletedrevs&titles=Main%20Page|Talk:Main%20Page&drprop=user|comment",
         "Deleted revisions of two pages"),
        ("action=query&list=deletedrevs&drdir=newer&drlimit=50", "The first ones, by title"),
    )  # fmt: skip
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Deletedrevs",)

    def execute(self) -> None:
        """List the revisions by page."""
        self.require_right("deletedhistory")
        if "content" in self.p.texts("prop"):
            may_read = "deletedtext" if self.context.user.can("deletedtext") else "undelete"
            self.require_right(may_read, "apierror-cantview-deleted-revision-content")
        of_all = self._is_by_title and not self._keys
        for name in _OF_SOME if of_all else _OF_ALL:
            if self.p.is_given(name):
                key = f"apierror-deletedrevs-param-not-{'3' if of_all else '1-2'}"
                raise ApiError("badparams", Message(key, (Plain(name),)))
        conditions = by_user(self, Archive.ar_deleted, visibility.USER)
        if self.p.is_given("tag"):
            conditions.append(Archive.ar_rev_id.in_(tags.tagged_revisions(self.p.text("tag"))))
        query = revisions.SELECT_ARCHIVED_REVISIONS.select_extend(
            Archive.ar_namespace, Archive.ar_title, Archive.ar_id
        )
        if self._is_by_title:
            conditions += self._title_conditions()
            query = bounds.ordered(query, *_BY_TITLE, descending=is_descending(self))
        else:
            conditions += _TIMELINE.conditions(self)
            query = _TIMELINE.ordered(query, self)
        if self.p.flag("unique") and self._is_by_title and not self._keys:
            other = Archive.alias()
            same_page = (other.ar_namespace == Archive.ar_namespace) & (
                other.ar_title == Archive.ar_title
            )
            first_id = other.select(fn.MIN(other.ar_id)).where(same_page)
            conditions.append(Archive.ar_id == first_id)
        selected = self.rows(query.where(*conditions).limit(self.p.number("limit") + 1))
        readable = readable_revision_bits(self.context.user) & ~visibility.TEXT
        rows = [revisions.read(row, readable) for row in selected]
        emit_by_page(self, self._items(rows[: self.limit]), rows, self._continue_value)

    @cached_property
    def _keys(self) -> list[tuple[int, str]]:
        return [title.key for _, title in self.page_set.good_and_missing()]

    @property
    def _is_by_title(self) -> bool:
        return bool(self._keys) or not self.p.is_given("user")

    def _title_conditions(self) -> list[Any]:
        """Return the conditions on titles and times, for lists in the order of titles."""
        descending = is_descending(self)
        ends = (self.p.text_or_none("start"), self.p.text_or_none("end"))
        conditions = bounds.between(Archive.ar_timestamp, *ends, descending=descending)
        if self._keys:
            conditions.append(keys_in(Archive.ar_namespace, Archive.ar_title, self._keys))
        else:
            ns, title = self.p.number("namespace"), Archive.ar_title
            conditions.append(Archive.ar_namespace == ns)
            conditions += title_conditions(self, title, ns, descending=descending)
        if parts := self.continue_parts(4):
            ns, number = self.continue_int(parts[0]), self.continue_int(parts[3])
            first = [ns, parts[1], moment_part(parts[2]), number]
            conditions.append(bounds.starting_at(_BY_TITLE, first, descending=descending))
        return conditions

    def _continue_value(self, row: RevisionRow) -> str:
        moment = f"{row.timestamp}|{row.archive_id}"
        return f"{row.namespace}|{row.title}|{moment}" if self._is_by_title else moment

    def _items(self, rows: list[RevisionRow]) -> Iterator[Obj]:
        """Yield the item of each revision."""
        props = self.p.texts("prop")
        titles = [self.site.titles.make(row.namespace, row.title) for row in rows]
        comments = zip((row.comment for row in rows), titles, strict=True)
        html = parsed_comments(self.context, props, comments)
        ids = [row.rev_id for row in rows] if "tags" in props else ()
        tagged = tags.of_revisions(self.db, ids)
        contents = self._texts(rows) if "content" in props else {}
        for revision, markup in zip(rows, html, strict=False):
            bits = revision.deleted
            closed = bits & ~revision.readable
            item = Obj({"timestamp": iso(revision.timestamp)}, content="text")
            if "revid" in props:
                item["revid"] = revision.rev_id
            if "parentid" in props and revision.parent_id is not None:
                item["parentid"] = revision.parent_id
            item |= user_data(props, closed, revision.user_id, revision.user_name)
            item.pop("anon", None)
            item |= comment_data(props, closed, revision.comment, markup)
            item |= hidden_flags(props, revision.readable)
            if "minor" in props:
                item["minor"] = bool(revision.minor)
            if "len" in props:
                item["len"] = revision.length
            if "sha1" in props:
                item |= (
                    {"sha1hidden": True}
                    if bits & visibility.TEXT
                    else {"sha1": hex_sha1(revision.sha1 or "")}
                )
            if "content" in props:
                text = contents.get(revision.rev_id, "")
                item |= {"texthidden": True} if bits & visibility.TEXT else {"text": text}
            if "tags" in props:
                item["tags"] = Arr(tagged.get(revision.rev_id, ()), "tag")
            item |= suppressed_flag(bits, item)
            yield item

    def _texts(self, rows: list[RevisionRow]) -> dict[int, str]:
        """Return the texts of those revisions that do not hide them, by id. Two queries."""
        ids = [row.rev_id for row in rows if not visibility.is_hidden(row.deleted, visibility.TEXT)]
        addresses = {
            rev_id: of_revision[slots.MAIN].address
            for rev_id, of_revision in slots.of_revisions(self.db, ids).items()
            if slots.MAIN in of_revision
        }
        stored = texts.by_addresses(self.db, addresses.values())
        return {rev_id: stored[address] for rev_id, address in addresses.items()}
