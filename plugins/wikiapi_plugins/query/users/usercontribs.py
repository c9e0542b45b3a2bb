"""``list=usercontribs``."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from functools import reduce
from operator import and_
from typing import Any

from peewee import JOIN, SQL

from wikiapi.accounts import read_range
from wikiapi.api import (
    Arr,
    ListModule,
    QueryModule,
    at_most_one_of,
    bad_continue,
    boolean,
    continuation,
    direction,
    enum,
    integer,
    limit,
    namespace,
    stored_titles,
    string,
    timestamp,
    user,
)
from wikiapi.errors import ApiError
from wikiapi.languages import Message, Plain, plain_list
from wikiapi.pages import AUTOPATROLLED, UNPATROLLED
from wikiapi.store import RevisionRow, bounds
from wikiapi.store.models import Actor, IpChanges, Page, RecentChanges, Revision
from wikiapi.store.queries import rarity, revisions, tags, visibility
from wikiapi.timestamps import iso_all
from wikiapi_plugins.query.authorship import (
    comment_data,
    parsed_comments,
    readable_revision_bits,
    users_visible_to,
    visible_to,
)
from wikiapi_plugins.query.changes.changefilter import (
    PATROL_FLAGS,
    patrol_conditions,
    refuse_contradictions,
    require_patrol,
)
from wikiapi_plugins.query.timeline import is_descending, moment_part

_KINDS = ("name", "ip", "temp", "interwiki")
_NO_ARCHIVE_ID = SQL("NULL")


_SELECT_EDITS = revisions.SELECT_UNHASHED_REVISIONS_WITH_PAGE.select_extend(
    Page.page_namespace, Page.page_title, _NO_ARCHIVE_ID, Page.page_latest
)


class UserContribs(ListModule):
    """List the edits of users."""

    name = "usercontribs"
    prefix = "uc"
    element = "item"
    params = (
        limit("How many edits to return."),
        timestamp("start", "The time to begin with."),
        timestamp("end", "The time to end with."),
        continuation(),
        user("user", "The users whose edits to list.", kinds=_KINDS, multi=True),
        integer("userids", "The ids of the users whose edits to list.", multi=True),
        string("userprefix", "List the edits of all users whose names begin with this text."),
        string("iprange", "The range of addresses whose edits to list, in CIDR notation."),
        direction(),
        namespace(help="Only edits of pages in these namespaces.", multi=True),
        enum("prop", "ids", "title", "timestamp", "comment", "parsedcomment", "size", "sizediff",
             "flags", "patrolled", "tags", multi=True,
             default="ids|title|timestamp|comment|size|flags",
             help="Properties of each edit to include.",
             value_help=(("ids", "The ids of page and revision."),
                         ("title", "Title and namespace of the page."),
                         ("timestamp", "When it was made."),
                         ("comment", "The summary."),
                         ("parsedcomment", "The summary as HTML."),
                         ("size", "The length of the page afterwards, in bytes."),
                         ("sizediff", "By how many bytes it grew."),
                         ("flags", "Whether it made the page, is minor, and is the latest."),
                         ("patrolled", "Whether it is patrolled; requires a right."),
                         ("tags", "Its tags."))),
        enum("show", "!autopatrolled", "!minor", "!new", "!patrolled", "!top", "autopatrolled",
             "minor", "new", "patrolled", "top", multi=True,
             help="Only edits with these properties, or with ! only those without."),
        string("tag", "Only edits with this tag."),
        boolean("toponly", "Only the latest edits of their pages.", deprecated=True),
    )  # fmt: skip
    examples = (
        ("action=query&list=usercontribs&ucuser=Example", "Edits by a user"),
        ("action=query&list=usercontribs&ucuserprefix=192.0.2.",
         "Edits from addresses with the same prefix"),
    )  # fmt: skip
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Usercontribs",)

    def execute(self) -> None:
        """List the edits."""
        authors = edit_authors(self)
        edits = self._edits(authors)
        self.emit(self._items(edits[: self.limit]), edits, authors.continue_value)

    @property
    def _show(self) -> Collection[str]:
        return {*self.p.texts("show"), *(("top",) if self.p.flag("toponly") else ())}

    def _edits(self, authors: EditAuthors) -> list[RevisionRow]:
        user = self.context.user
        with_marks = "patrolled" in self.p.texts("prop") or not PATROL_FLAGS.isdisjoint(self._show)
        # MediaWiki only looks for edits of existing users, and so raises no error for others.
        if with_marks and not user.can("patrol", "patrolmarks") and not authors.by_address:
            actor = Actor.select(Actor.actor_id).where(authors.who).limit(1)
            if not self.rows(actor):
                return []
        conditions = [
            *visible_to(user, Revision.rev_deleted, visibility.USER),
            *users_visible_to(user, Actor.actor_user),
            authors.condition,
            *authors.continue_conditions(self),
            *self._period(authors),
            *self._filters(),
        ]
        query = _SELECT_EDITS
        if with_marks or authors.order == "actor":
            # Columns are read by position as fields of a RevisionRow, so none can be skipped.
            query = query.select_extend(Revision.rev_actor)
        if authors.by_address:
            in_changes = IpChanges.ipc_rev_id == Revision.rev_id
            query = query.join_from(Revision, IpChanges, on=in_changes)
        if with_marks:
            require_patrol(self)
            # Older edits are not among the recent changes. Revisions that moves, imports and the
            # like make have the mark of the log entry.
            is_change = (RecentChanges.rc_this_oldid == Revision.rev_id) & (
                RecentChanges.rc_source.in_(("mw.edit", "mw.new", "mw.log"))
            )
            query = query.select_extend(RecentChanges.rc_patrolled)
            query = query.join_from(Revision, RecentChanges, JOIN.LEFT_OUTER, on=is_change)
        query = query.where(*conditions)
        if self.p.numbers("namespace") or self.p.is_given("tag") or self._show or authors.is_walked:
            query = self._bounded(query, authors)
        query = bounds.ordered(query, *authors.keys, descending=is_descending(self))
        rows = self.rows(query.limit(self.p.number("limit") + 1))
        readable = readable_revision_bits(user)
        return [revisions.read(row, readable) for row in rows]

    def _bounded(self, query: Any, authors: EditAuthors) -> Any:
        """Return the query limited by :meth:`bounded`."""
        conditions = [*self._period(authors), *authors.continue_conditions(self)]
        walk: Any
        if authors.is_walked:
            walk = IpChanges.select(*authors.keys)
        else:
            conditions.append(authors.condition)
            walk = Revision.select(*authors.keys)
            if authors.by_address:
                walk = walk.join(IpChanges, on=(IpChanges.ipc_rev_id == Revision.rev_id))
            else:
                walk = walk.join(Actor, on=(Actor.actor_id == Revision.rev_actor))
        walk = walk.where(*conditions) if conditions else walk
        order = (authors.order,) if authors.order else ()
        return self.bounded(
            query,
            walk,
            authors.keys,
            descending=is_descending(self),
            continue_value=lambda end: "|".join(map(str, (*order, *end))),
        )

    def _period(self, authors: EditAuthors) -> list[Any]:
        ends = (self.p.text_or_none("start"), self.p.text_or_none("end"))
        return bounds.between(authors.columns[0], *ends, descending=is_descending(self))

    def _filters(self) -> list[Any]:
        """Return the conditions of ``show``, ``namespace`` and ``tag``."""
        show = self._show
        refuse_contradictions(show, [("autopatrolled", "!patrolled")])
        flags = {
            "minor": Revision.rev_minor_edit != 0,
            "!minor": Revision.rev_minor_edit == 0,
            "top": Revision.rev_id == Page.page_latest,
            "!top": Revision.rev_id != Page.page_latest,
            "new": Revision.rev_parent_id == 0,
            "!new": Revision.rev_parent_id != 0,
        }
        conditions = [condition for name, condition in flags.items() if name in show]
        conditions += patrol_conditions(RecentChanges.rc_patrolled, show)
        if namespaces := self.p.numbers("namespace"):
            conditions.append(bounds.unindexed(Page.page_namespace).in_(namespaces))
        if self.p.is_given("tag"):
            tagged = tags.tagged_revisions(self.p.text("tag"))
            has_tag = tags.has_tag(Revision.rev_id, tagged)
            is_rare = rarity.is_rare(self.db, tagged)
            conditions.append(Revision.rev_id.in_(tagged) if is_rare else has_tag)
        return conditions

    def _items(self, edits: list[RevisionRow]) -> Iterator[dict[str, Any]]:
        """Yield the item of each edit."""
        props = frozenset(self.p.texts("prop"))
        with_ids, with_title, with_time = "ids" in props, "title" in props, "timestamp" in props
        with_flags, with_marks, with_size = "flags" in props, "patrolled" in props, "size" in props
        with_growth, with_tags = "sizediff" in props, "tags" in props
        titles = stored_titles(self.site, [e.namespace for e in edits], [e.title for e in edits])
        moments = iso_all([edit.timestamp for edit in edits])
        make = self.site.titles.make
        comments = ((edit.comment, make(edit.namespace, edit.title)) for edit in edits)
        html = parsed_comments(self.context, props, comments)
        parents = [edit.parent_id or 0 for edit in edits] if with_growth else ()
        lengths = revisions.parent_lengths(self.db, parents)
        ids = [edit.rev_id for edit in edits] if with_tags else ()
        tagged = tags.of_revisions(self.db, ids)
        for edit, title, moment, markup in zip(edits, titles, moments, html, strict=False):
            bits, parent = edit.deleted, edit.parent_id
            item: dict[str, Any] = {"userid": edit.user_id, "user": edit.user_name}
            if bits & visibility.TEXT:
                item = {"texthidden": True} | item
            if bits & visibility.USER:
                item["userhidden"] = True
            if with_ids:
                item["pageid"] = edit.page_id
                item["revid"] = edit.rev_id
                if parent is not None:
                    item["parentid"] = parent
            if with_title:
                item["ns"] = edit.namespace
                item["title"] = title
            if with_time:
                item["timestamp"] = moment
            if with_flags:
                item["new"] = parent == 0
                item["minor"] = edit.minor != 0
                item["top"] = edit.rev_id == edit.latest
            item |= comment_data(props, bits & ~edit.readable, edit.comment, markup)
            if bits & edit.readable & visibility.COMMENT and not props.isdisjoint(
                ("comment", "parsedcomment")
            ):
                item["commenthidden"] = True
            if with_marks:
                item["patrolled"] = edit.patrolled not in (None, UNPATROLLED)
                item["autopatrolled"] = edit.patrolled == AUTOPATROLLED
            if edit.length is not None:
                if with_size:
                    item["size"] = edit.length
                if with_growth and parent is not None:
                    item["sizediff"] = edit.length - lengths.get(parent, 0)
            if with_tags:
                item["tags"] = Arr(tagged.get(edit.rev_id, ()), "tag")
            if bits & visibility.RESTRICTED and bits & (
                visibility.TEXT | visibility.COMMENT | visibility.USER
            ):
                item["suppressed"] = True
            yield item


# Edits of one user are listed by time, and those of several users user by user. A continuation
# value then also identifies the user, by the key that orders the users: name, id or actor id.

USER_PARAMS = ("userprefix", "userids", "iprange", "user")
"""The parameters that say whose edits to list; exactly one of them is required."""
_LEAST_BITS = {"IPv4": 16, "IPv6": 32}
"""How many bits a range of addresses must fix."""
_BY_TIME = (Revision.rev_timestamp, Revision.rev_id)
_COLUMNS = {"name": Actor.actor_name, "id": Actor.actor_user, "actor": Revision.rev_actor}
_USER_TIME_ID = 4


@dataclass(frozen=True, slots=True)
class EditAuthors:
    """The users whose edits are listed: a condition on them, and their order if there are several.

    ``by_address`` tells that the condition is on the table ``ip_changes``, and ``is_walked`` that
    so many edits meet it that this table is read in the order of time.
    """

    who: Any
    order: str = ""
    by_address: bool = False
    is_walked: bool = False
    columns: tuple[Any, ...] = field(default=_BY_TIME)

    @property
    def condition(self) -> Any:
        """The condition on the joined tables, in the form that suits the order best."""
        if self.order != "actor":
            return self.who
        return Revision.rev_actor.in_(Actor.select(Actor.actor_id).where(self.who))

    @property
    def keys(self) -> tuple[Any, ...]:
        """The columns by which the edits are ordered."""
        return (_COLUMNS[self.order], *self.columns) if self.order else self.columns

    def continue_value(self, edit: RevisionRow) -> str:
        """Return the continuation value of an answer that begins with an edit."""
        moment = f"{edit.timestamp}|{edit.rev_id}"
        if not self.order:
            return moment
        names = {"actor": edit.actor_id, "id": edit.user_id, "name": edit.user_name}
        return f"{self.order}|{names[self.order]}|{moment}"

    def continue_conditions(self, module: QueryModule) -> list[Any]:
        """Return the condition for the request's continuation value, if it has one.

        Raises:
            ApiError: ``badcontinue``.
        """
        parts = module.continue_parts(_USER_TIME_ID if self.order else _USER_TIME_ID - 2)
        if parts is None:
            return []
        who: list[Any] = []
        if self.order:
            order, user, *parts = parts
            if order != self.order:
                raise bad_continue()
            who = [user if order == "name" else module.continue_int(user)]
        values = [*who, moment_part(parts[0]), module.continue_int(parts[1])]
        return [bounds.starting_at(self.keys, values, descending=is_descending(module))]


def edit_authors(module: QueryModule) -> EditAuthors:
    """Return the users whose edits a request lists.

    Raises:
        ApiError: a request has none or several of these parameters, or the value is invalid.
    """
    at_most_one_of(module, *USER_PARAMS)
    p = module.p
    if p.is_given("userprefix"):
        prefix = p.text("userprefix")
        # An empty prefix needs a condition too, so that the index of names is used, which orders
        # them.
        conditions = bounds.with_prefix(Actor.actor_name, prefix) or [Actor.actor_name >= prefix]
        return EditAuthors(reduce(and_, conditions), "name")
    if p.is_given("userids"):
        ids = sorted(set(p.numbers("userids")))
        if not ids:
            raise _empty(module, "userids")
        if ids[0] <= 0:
            raise ApiError("invaliduserid", "apierror-invaliduserid", Plain(str(ids[0])))
        return EditAuthors(Actor.actor_user.in_(ids), "id" if len(ids) > 1 else "")
    if p.is_given("user"):
        names = sorted(set(p.texts("user")))
        if not names:
            raise _empty(module, "user")
        return EditAuthors(Actor.actor_name.in_(names), "actor" if len(names) > 1 else "")
    if p.is_given("iprange"):
        addresses = read_range(module.p.text("iprange"))
        if addresses is None:
            message = Message("apierror-invalidiprange", (Plain(module.full("iprange")),))
            raise ApiError("invalidiprange", message)
        least_bits = _LEAST_BITS[addresses.version]
        if addresses.bits < least_bits:
            raise ApiError("cidrtoobroad", "apierror-cidrtoobroad", addresses.version, least_bits)
        ends = (addresses.first, addresses.last)
        matching = IpChanges.ipc_hex.between(*ends)
        if rarity.is_rare(module.db, IpChanges.select(IpChanges.ipc_rev_id).where(matching)):
            return EditAuthors(matching, by_address=True)
        return EditAuthors(
            bounds.unindexed(IpChanges.ipc_hex).between(*ends),
            by_address=True,
            is_walked=True,
            columns=(IpChanges.ipc_rev_timestamp, IpChanges.ipc_rev_id),
        )
    params = plain_list(map(module.full, USER_PARAMS))
    raise ApiError("missingparam", "apierror-missingparam-one-of", params)


def _empty(module: QueryModule, name: str) -> ApiError:
    full = module.full(name)
    return ApiError(f"paramempty_{full}", "apierror-paramempty", Plain(full))
