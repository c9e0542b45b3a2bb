"""``list=usercontribs``."""

from __future__ import annotations

from functools import cached_property
from itertools import repeat
from typing import TYPE_CHECKING, Any

from peewee import JOIN

from wikiapi.api.params.declaration import (
    boolean,
    continuation,
    enum,
    integer,
    limit,
    namespace,
    string,
    user,
)
from wikiapi.api.params.types.timestamp import iso
from wikiapi.api.query.module import ListModule
from wikiapi.api.query.output import stored_title
from wikiapi.api.result import Arr
from wikiapi.store import bounds, revisions, tags
from wikiapi.store.models import Actor, IpChanges, Page, RecentChanges, Revision
from wikiapi.store.visibility import (
    COMMENT,
    RESTRICTED,
    TEXT,
    USER,
    is_hidden,
    not_hidden_user,
    shown,
)
from wikiapi_plugins.families.authorship import Summaries
from wikiapi_plugins.families.contributors import named_by
from wikiapi_plugins.families.patrol import (
    AUTOPATROLLED,
    FLAGS,
    UNPATROLLED,
    marked,
    require_patrol,
)
from wikiapi_plugins.families.showfilter import refuse_contradictions
from wikiapi_plugins.families.timeline import is_descending, timeline_params

if TYPE_CHECKING:
    from collections.abc import Collection

    from wikiapi.store.revisions import RevisionRow
    from wikiapi.store.statements import Row
    from wikiapi_plugins.families.contributors import Contributors

_KINDS = ("name", "ip", "temp", "interwiki")
_SPACE, _TITLE, _LATEST, _PATROLLED = range(revisions.WIDTH, revisions.WIDTH + 4)


class UserContribs(ListModule):
    """Get all edits by a user."""

    name = "usercontribs"
    prefix = "uc"
    element = "item"
    params = (
        limit("How many edits to return."),
        *timeline_params(),
        continuation(),
        user("user", "The users whose edits to list.", kinds=_KINDS, multi=True),
        integer("userids", "The ids of the users whose edits to list.", multi=True),
        string("userprefix", "List the edits of all users whose names begin with this text."),
        string("iprange", "The range of addresses whose edits to list, in CIDR notation."),
        namespace(help="Only edits of pages in these namespaces.", multi=True),
        enum("prop", "ids", "title", "timestamp", "comment", "parsedcomment", "size", "sizediff",
             "flags", "patrolled", "tags", multi=True,
             default="ids|title|timestamp|comment|size|flags", help="What to tell of each edit.",
             value_help=(("ids", "The ids of page and revision."),
                         ("title", "Title and namespace of the page."),
                         ("timestamp", "When it was made."),
                         ("comment", "The summary."),
                         ("parsedcomment", "The summary as HTML."),
                         ("size", "The length of the page afterwards, in bytes."),
                         ("sizediff", "By how much it grew."),
                         ("flags", "Whether it was new, minor, and is the last."),
                         ("patrolled", "Whether it is patrolled; takes a right."),
                         ("tags", "Its tags."))),
        enum("show", "!autopatrolled", "!minor", "!new", "!patrolled", "!top", "autopatrolled",
             "minor", "new", "patrolled", "top", multi=True,
             help="Only edits that are so, or with ! in front are not."),
        string("tag", "Only edits with this tag."),
        boolean("toponly", "Only edits that are the last of their page.", deprecated=True),
    )  # fmt: skip
    examples = (
        ("action=query&list=usercontribs&ucuser=Example", "Edits by a user"),
        ("action=query&list=usercontribs&ucuserprefix=192.0.2.",
         "Edits from addresses that begin alike"),
    )  # fmt: skip
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Usercontribs",)

    def execute(self) -> None:
        """List the edits."""
        users = named_by(self)
        rows = self._rows(users)
        edits = [revisions.read(row) for row in rows]
        self._read_more(edits[: self.p["limit"]], rows)
        self.result.list(("query", self.name), self.element)
        self.list_rows(
            range(len(rows)),
            self.p["limit"],
            lambda n: users.position(rows[n], edits[n].timestamp, edits[n].rev_id),
            lambda n: self._item(n, rows[n], edits[n]),
        )

    @cached_property
    def _props(self) -> Collection[str]:
        return frozenset(self.p["prop"])

    @property
    def _shown(self) -> Collection[str]:
        return {*(self.p["show"] or ()), *(("top",) if self.p["toponly"] else ())}

    def _rows(self, users: Contributors) -> list[Row]:
        marks = "patrolled" in self.p["prop"] or not FLAGS.isdisjoint(self._shown)
        # MediaWiki looks for edits of users that exist alone, and so refuses nothing for others.
        if marks and not self.context.user.can("patrol", "patrolmarks") and not self._exist(users):
            return []
        conditions = [users.condition, *users.going_on(self), *self._filters()]
        if marks:
            require_patrol(self)
        columns = (Page.page_namespace, Page.page_title, Page.page_latest)
        patrolled = (RecentChanges.rc_patrolled,) if marks else ()
        who = (Actor.actor_id, Actor.actor_user, Actor.actor_name)
        query = revisions.select_with_page(*columns, *patrolled, *who)
        if users.by_address:
            query = query.join_from(
                Revision, IpChanges, on=(IpChanges.ipc_rev_id == Revision.rev_id)
            )
        if marks:
            query = _with_marks(query)
        query = bounds.ordered(
            query.where(*conditions), *users.keys, descending=is_descending(self)
        )
        return self.rows(query.limit(self.p["limit"] + 1))

    def _exist(self, users: Contributors) -> bool:
        if users.by_address:
            return True
        return bool(self.rows(Actor.select(Actor.actor_id).where(users.who).limit(1)))

    def _filters(self) -> list[Any]:
        ends = (self.p["start"], self.p["end"])
        conditions = [
            shown(Revision.rev_deleted, USER),
            not_hidden_user(Actor.actor_user),
            *bounds.between(Revision.rev_timestamp, *ends, descending=is_descending(self)),
            *self._flags(),
        ]
        if self.p["namespace"]:
            conditions.append(bounds.unindexed(Page.page_namespace).in_(self.p["namespace"]))
        if self.p["tag"] is not None:
            conditions.append(Revision.rev_id.in_(tags.tagged_revisions(self.p["tag"])))
        return conditions

    def _flags(self) -> list[Any]:
        asked = self._shown
        refuse_contradictions(asked, [("autopatrolled", "!patrolled")])
        conditions = {
            "minor": Revision.rev_minor_edit != 0,
            "!minor": Revision.rev_minor_edit == 0,
            "top": Revision.rev_id == Page.page_latest,
            "!top": Revision.rev_id != Page.page_latest,
            "new": Revision.rev_parent_id == 0,
            "!new": Revision.rev_parent_id != 0,
        }
        plain = [condition for name, condition in conditions.items() if name in asked]
        return plain + marked(RecentChanges.rc_patrolled, asked)

    def _read_more(self, edits: list[RevisionRow], rows: list[Row]) -> None:
        """Read what is told beside the rows themselves, for all of them at once."""
        props, make = self.p["prop"], self.site.titles.make
        pages = (make(row[_SPACE], row[_TITLE]) for row in rows)
        comments = (edit.comment for edit in edits)
        # Only links within a summary have to know of which page it is.
        summaries = zip(comments, pages if "parsedcomment" in props else repeat(None), strict=False)
        self._summaries = Summaries(self.site, props, list(summaries))
        ids = [edit.rev_id for edit in edits]
        self._tags = tags.of_revisions(self.db, ids) if "tags" in props else {}
        parents = [edit.parent_id or 0 for edit in edits]
        self._lengths = revisions.parent_lengths(self.db, parents) if "sizediff" in props else {}

    def _item(self, number: int, row: Row, edit: RevisionRow) -> dict[str, Any]:
        props = self._props
        item: dict[str, Any] = {"texthidden": True} if is_hidden(edit.deleted, TEXT) else {}
        item["userid"] = edit.user_id
        item["user"] = edit.user_name
        if "ids" in props:
            item["pageid"] = edit.page_id
            item["revid"] = edit.rev_id
            if edit.parent_id is not None:
                item["parentid"] = edit.parent_id
        if "title" in props:
            item |= stored_title(self.site, row[_SPACE], row[_TITLE])
        if "timestamp" in props:
            item["timestamp"] = iso(edit.timestamp)
        if "flags" in props:
            item["new"] = edit.parent_id == 0
            item["minor"] = bool(edit.minor)
            item["top"] = row[_LATEST] == edit.rev_id
        item |= self._summaries.of(number, edit.deleted)
        if "patrolled" in props:
            item["patrolled"] = row[_PATROLLED] not in (None, UNPATROLLED)
            item["autopatrolled"] = row[_PATROLLED] == AUTOPATROLLED
        self._add_sizes(item, edit)
        if "tags" in props:
            item["tags"] = Arr(self._tags.get(edit.rev_id, ()), "tag")
        if (
            edit.deleted
            and is_hidden(edit.deleted, RESTRICTED)
            and is_hidden(edit.deleted, TEXT | COMMENT)
        ):
            item["suppressed"] = True
        return item

    def _add_sizes(self, item: dict[str, Any], edit: RevisionRow) -> None:
        if edit.length is None:
            return
        if "size" in self._props:
            item["size"] = edit.length
        if "sizediff" in self._props and edit.parent_id is not None:
            item["sizediff"] = edit.length - self._lengths.get(edit.parent_id, 0)


def _with_marks(query: Any) -> Any:
    """The query joined to recent changes, as far as they reach back."""
    is_edit = RecentChanges.rc_source.in_(("mw.edit", "mw.new"))
    change = (RecentChanges.rc_this_oldid == Revision.rev_id) & is_edit
    return query.join_from(Revision, RecentChanges, JOIN.LEFT_OUTER, on=change)
