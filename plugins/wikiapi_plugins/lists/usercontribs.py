"""``list=usercontribs``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from peewee import JOIN

from wikiapi.api.params.declaration import (
    boolean,
    continuation,
    direction,
    enum,
    integer,
    limit,
    namespace,
    string,
    timestamp,
    user,
)
from wikiapi.api.params.types.timestamp import iso
from wikiapi.api.query.module import ListModule
from wikiapi.api.query.output import title_data
from wikiapi.api.result import Arr, Obj
from wikiapi.store import bounds, revisions, tags
from wikiapi.store.models import Page, RecentChanges, Revision
from wikiapi.store.visibility import COMMENT, RESTRICTED, TEXT, USER, is_hidden, shown
from wikiapi.wikitext.comment import format_comments
from wikiapi_plugins.families.contributors import read_contributors
from wikiapi_plugins.families.patrolling import (
    AUTOPATROLLED,
    UNPATROLLED,
    refuse_both_sides,
    refuse_marks,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wikiapi.store.revisions import RevisionRow
    from wikiapi.store.statements import Row
    from wikiapi.title.title import Title

_SHOW: Mapping[str, Any] = {
    "minor": Revision.rev_minor_edit != 0,
    "!minor": Revision.rev_minor_edit == 0,
    "patrolled": RecentChanges.rc_patrolled != UNPATROLLED,
    "!patrolled": RecentChanges.rc_patrolled == UNPATROLLED,
    "autopatrolled": RecentChanges.rc_patrolled == AUTOPATROLLED,
    "!autopatrolled": RecentChanges.rc_patrolled != AUTOPATROLLED,
    "top": Page.page_latest == Revision.rev_id,
    "!top": Page.page_latest != Revision.rev_id,
    "new": Revision.rev_parent_id == 0,
    "!new": Revision.rev_parent_id != 0,
}
_PATROL = ("patrolled", "!patrolled", "autopatrolled", "!autopatrolled")
_LATEST, _NAMESPACE, _TITLE, _PATROLLED = range(4)


class UserContribs(ListModule):
    """Get all edits by a user."""

    name = "usercontribs"
    prefix = "uc"
    element = "item"
    params = (
        limit("How many contributions to return."),
        timestamp("start", "The moment to begin with."),
        timestamp("end", "The moment to end with."),
        continuation(),
        user("user", "The users.", kinds=("name", "ip", "temp", "interwiki"), multi=True),
        integer("userids", "The users by their ids.", multi=True),
        string("userprefix", "All users whose name begins with this text."),
        string("iprange", "All addresses of this range."),
        direction(),
        namespace(multi=True),
        enum("prop", "ids", "title", "timestamp", "comment", "parsedcomment", "size", "sizediff",
             "flags", "patrolled", "tags", multi=True,
             default="ids|title|timestamp|comment|size|flags", help="What to tell of each edit.",
             value_help=(("ids", "The ids of page and revision."), ("title", "The page."),
                         ("timestamp", "When."), ("comment", "The summary."),
                         ("parsedcomment", "The summary as HTML."), ("size", "The new size."),
                         ("sizediff", "How much it grew."), ("flags", "What kind of edit it is."),
                         ("patrolled", "Whether it was patrolled."), ("tags", "Its tags."))),
        enum("show", "minor", "!minor", "patrolled", "!patrolled", "autopatrolled",
             "!autopatrolled", "top", "!top", "new", "!new", multi=True,
             help="Only edits of these kinds."),
        string("tag", "Only edits with this tag."),
        boolean("toponly", "Use show=top instead.", deprecated=True),
    )  # fmt: skip
    examples = (
        ("action=query&list=usercontribs&ucuser=Example", "The edits of a user"),
        ("action=query&list=usercontribs&ucuserprefix=192.0.2.", "The edits from some addresses"),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Usercontribs",)

    def execute(self) -> None:
        """List the edits."""
        users = read_contributors(self)
        self._show = tuple(self.p["show"] or ()) + (("top",) if self.p["toponly"] else ())
        refuse_both_sides(self._show, ("autopatrolled", "!patrolled"))
        refuse_marks(self.context, self._show, self.p["prop"])
        rows = self._rows(users)
        found = [(revisions.read(row), row[revisions.WIDTH :]) for row in rows]
        self._look_up([(row, self._title(more)) for row, more in found[: self.p["limit"]]])
        self.result.list(("query", self.name), self.element)
        self.page_through(
            found,
            self.p["limit"],
            lambda pair: users.position(
                pair[0].actor_id, pair[0].user_name, pair[0].timestamp, pair[0].rev_id
            ),
            lambda pair: self.add_item(self._item(*pair)),
        )

    @property
    def _descending(self) -> bool:
        return bool(self.p["dir"] != "newer")

    def _title(self, more: Row) -> Title:
        return self.site.titles.make(more[_NAMESPACE], more[_TITLE])

    def _rows(self, users: Any) -> list[Row]:
        columns = [Page.page_latest, Page.page_namespace, Page.page_title]
        needs_patrol = not {*_PATROL}.isdisjoint({*self._show, *self.p["prop"]})
        query = revisions.select_with_page(
            *columns, *([RecentChanges.rc_patrolled] if needs_patrol else [])
        )
        if needs_patrol:
            inner = any(name in self._show for name in _PATROL)
            query = query.join_from(
                Revision,
                RecentChanges,
                JOIN.INNER if inner else JOIN.LEFT_OUTER,
                on=(RecentChanges.rc_this_oldid == Revision.rev_id)
                & RecentChanges.rc_source.in_(["mw.edit", "mw.new"]),
            )
        query = query.where(*self._conditions(users))
        query = bounds.ordered(query, *users.columns, descending=self._descending)
        return self.rows(query.limit(self.p["limit"] + 1))

    def _conditions(self, users: Any) -> list[Any]:
        ends = (self.p["start"], self.p["end"])
        conditions = [users.condition, shown(Revision.rev_deleted, USER)]
        conditions += users.starting_at(self, descending=self._descending)
        conditions += bounds.between(Revision.rev_timestamp, *ends, descending=self._descending)
        if self.p["namespace"]:
            conditions.append(Page.page_namespace.in_(self.p["namespace"]))
        if self.p["tag"] is not None:
            conditions.append(Revision.rev_id.in_(tags.tagged_revisions(self.p["tag"])))
        return conditions + [_SHOW[kind] for kind in self._show]

    def _look_up(self, found: list[tuple[RevisionRow, Title]]) -> None:
        """What is told of the edits beside their rows; one query for each kind of thing."""
        prop, rows = self.p["prop"], [row for row, _ in found]
        parents = [row.parent_id for row in rows if row.parent_id]
        self._lengths = revisions.parent_lengths(self.db, parents) if "sizediff" in prop else {}
        ids = [row.rev_id for row in rows]
        self._tags = tags.of_revisions(self.db, ids) if "tags" in prop else {}
        self._html: dict[int, str] = {}
        if "parsedcomment" in prop:
            visible = [(r.rev_id, r.comment, t) for r, t in found if r.comment is not None]
            texts = format_comments(self.site, [(comment, t) for _, comment, t in visible])
            self._html = {entry[0]: text for entry, text in zip(visible, texts, strict=True)}

    def _item(self, row: RevisionRow, more: Row) -> Obj:
        prop, item = self.p["prop"], Obj({"userid": row.user_id, "user": row.user_name})
        if is_hidden(row.deleted, TEXT):
            item["texthidden"] = True
        if "ids" in prop:
            item |= {"pageid": row.page_id, "revid": row.rev_id}
            if row.parent_id is not None:
                item["parentid"] = row.parent_id
        if "title" in prop:
            item |= title_data(self._title(more))
        if "timestamp" in prop:
            item["timestamp"] = iso(row.timestamp)
        if "flags" in prop:
            item |= {"new": row.parent_id == 0, "minor": bool(row.minor)}
            item["top"] = more[_LATEST] == row.rev_id
        self._add_comment(item, row)
        if "patrolled" in prop:
            mark = more[_PATROLLED] or UNPATROLLED
            item |= {"patrolled": mark != UNPATROLLED, "autopatrolled": mark == AUTOPATROLLED}
        self._add_sizes(item, row)
        if "tags" in prop:
            item["tags"] = Arr(self._tags.get(row.rev_id, ()), "tag")
        hidden = "texthidden" in item or "commenthidden" in item
        if hidden and is_hidden(row.deleted, RESTRICTED):
            item["suppressed"] = True
        return item

    def _add_comment(self, item: Obj, row: RevisionRow) -> None:
        prop = self.p["prop"]
        if "comment" not in prop and "parsedcomment" not in prop:
            return
        if is_hidden(row.deleted, COMMENT):
            item["commenthidden"] = True
            return
        if "comment" in prop:
            item["comment"] = row.comment or ""
        if "parsedcomment" in prop:
            item["parsedcomment"] = self._html.get(row.rev_id, "")

    def _add_sizes(self, item: Obj, row: RevisionRow) -> None:
        if row.length is None:
            return
        if "size" in self.p["prop"]:
            item["size"] = row.length
        if "sizediff" in self.p["prop"] and row.parent_id is not None:
            item["sizediff"] = row.length - (self._lengths.get(row.parent_id) or 0)
