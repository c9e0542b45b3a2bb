"""``list=recentchanges``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from peewee import JOIN

from wikiapi.api.params.declaration import (
    boolean,
    continuation,
    enum,
    limit,
    namespace,
    string,
    user,
)
from wikiapi.api.params.types.enumeration import VIRTUAL
from wikiapi.api.params.types.timestamp import iso
from wikiapi.api.query.module import ListModule
from wikiapi.api.query.output import title_data
from wikiapi.api.result import Arr
from wikiapi.store import recentchanges, tags
from wikiapi.store.models import Page, RecentChanges, Revision
from wikiapi.store.recentchanges import LOG_SOURCE
from wikiapi.store.visibility import ACTION, RESTRICTED, TEXT, is_hidden
from wikiapi_plugins.query.authorship import Summaries, user_facts
from wikiapi_plugins.query.changes.changefilter import (
    EXTERNAL,
    SHOWN,
    SOURCES,
    conditions,
    needs_page,
)
from wikiapi_plugins.query.changes.logformats import entry_params
from wikiapi_plugins.query.changes.patrol import AUTOPATROLLED, UNPATROLLED, require_patrol
from wikiapi_plugins.query.revisions.revisioncontent import hex_sha1
from wikiapi_plugins.query.timeline import Timeline, timeline_params
from wikiapi_plugins.query.userfilter import KINDS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wikiapi.api.query.pageset import GeneratedPages
    from wikiapi.store.recentchanges import ChangeRow
    from wikiapi.store.statements import Row
    from wikiapi.title.title import Title

_TIMELINE = Timeline(RecentChanges.rc_timestamp, RecentChanges.rc_id)
_TYPES = {source: name for name, source in SOURCES.items()}
_HIDDEN = frozenset({"actionhidden", "userhidden", "commenthidden", "sha1hidden"})


class RecentChangesList(ListModule):
    """Enumerate recent changes."""

    name = "recentchanges"
    prefix = "rc"
    element = "rc"
    params = (
        *timeline_params(),
        namespace(help="Only changes in these namespaces.", multi=True, extra=VIRTUAL),
        user("user", "Only changes by this user.", kinds=KINDS),
        user("excludeuser", "No changes by this user.", kinds=KINDS),
        string("tag", "Only changes with this tag."),
        enum("prop", "user", "userid", "comment", "parsedcomment", "flags", "timestamp", "title",
             "ids", "sizes", "redirect", "patrolled", "loginfo", "tags", "sha1", multi=True,
             default="title|timestamp|ids", help="What to tell of each change.",
             value_help=(("user", "Who made it."),
                         ("userid", "Who made it, as an id."),
                         ("comment", "The summary."),
                         ("parsedcomment", "The summary as HTML."),
                         ("flags", "Whether it is minor, new, by a bot."),
                         ("timestamp", "When it was made."),
                         ("title", "The title of the page."),
                         ("ids", "The ids of page, change and revisions."),
                         ("sizes", "The lengths of the page before and after, in bytes."),
                         ("redirect", "Whether the page is a redirect."),
                         ("patrolled", "Whether it is patrolled; takes a right."),
                         ("loginfo", "What the log says of it."),
                         ("tags", "Its tags."),
                         ("sha1", "The SHA-1 of the revision it has made."))),
        enum("show", *SHOWN, multi=True,
             help="Only changes that are so, or with ! in front are not."),
        limit("How many changes to return."),
        enum("type", *SOURCES, EXTERNAL, multi=True, default="edit|new|log|categorize",
             help="The types of changes to list."),
        boolean("toponly", "Only changes that made the last revision of a page."),
        string("title", "Only changes of this page."),
        continuation(),
        boolean("generaterevisions", "As a generator, yield revisions rather than titles."),
        enum("slot", choices=lambda _: ("main",), help="Only changes of this slot."),
    )  # fmt: skip
    examples = (
        ("action=query&list=recentchanges", "The last changes"),
        ("action=query&generator=recentchanges&prop=info", "Facts about pages changed last"),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Recentchanges",)

    def execute(self) -> None:
        """List the changes."""
        rows = self._rows()
        changes = [recentchanges.read(row) for row in rows]
        titles = [self._title(change) for change in changes]
        self._read_more(changes[: self.p["limit"]], titles)
        self.result.list(("query", self.name), self.element)
        self.list_rows(
            range(len(rows)),
            self.p["limit"],
            lambda n: _position(changes[n]),
            lambda n: self._item(n, changes[n], titles[n], rows[n]),
        )

    def generate(self, pages: GeneratedPages) -> None:
        """Yield the pages that were changed, or the revisions that changes have made."""

        def add(change: ChangeRow) -> bool:
            page = self._title(change)
            if self.p["generaterevisions"]:
                pages.revision_ids += [change.this_revision] if change.this_revision else []
            elif page:
                pages.titles.append(page)
            return True

        changes = [recentchanges.read(row) for row in self._rows()]
        if changes:
            # New changes come before these while a client goes on with the batch.
            self.query.hold_batch(self, "continue", _position(changes[0]))
        self.page_through(changes, self.p["limit"], _position, add)

    def _rows(self) -> list[Row]:
        if "patrolled" in self.p["prop"]:
            require_patrol(self)
        found = [*conditions(self), *_TIMELINE.conditions(self)]
        with_page = needs_page(self)
        # The order is that in which ``_item`` finds them at the end of a row.
        more = (
            *((Revision.rev_sha1, Revision.rev_deleted) if "sha1" in self.p["prop"] else ()),
            *((Page.page_is_redirect,) if with_page else ()),
        )
        query: Any = recentchanges.SELECT_CHANGES.select_extend(*more)
        if with_page:
            here = Page.page_id == RecentChanges.rc_cur_id
            query = query.join_from(RecentChanges, Page, JOIN.LEFT_OUTER, on=here)
        if "sha1" in self.p["prop"]:
            made = Revision.rev_id == RecentChanges.rc_this_oldid
            query = query.join_from(RecentChanges, Revision, JOIN.LEFT_OUTER, on=made)
        query = query.where(*found) if found else query
        return self.rows(_TIMELINE.ordered(query, self).limit(self.p["limit"] + 1))

    def _title(self, change: ChangeRow) -> Title | None:
        if change.namespace is None or change.title is None:
            return None
        return self.site.titles.make(change.namespace, change.title)

    def _read_more(self, changes: list[ChangeRow], titles: list[Title | None]) -> None:
        """Read what is told beside the rows themselves, for all of them at once."""
        props = self.p["prop"]
        ids = [change.change_id for change in changes]
        self._tags = tags.of_recent_changes(self.db, ids) if "tags" in props else {}
        pairs = zip((change.comment for change in changes), titles, strict=False)
        self._summaries = Summaries(self.site, props, list(pairs))

    def _item(self, number: int, change: ChangeRow, page: Title | None, row: Row) -> dict[str, Any]:
        props = self.p["prop"]
        item: dict[str, Any] = {"type": _TYPES.get(change.source, EXTERNAL)}
        item |= self._about(change, page)
        if "user" in props or "userid" in props:
            item |= user_facts(props, change.deleted, change.user_id, change.user_name)
        if "flags" in props or "patrolled" in props:
            item |= self._flags(change)
        if "sizes" in props:
            item |= {"oldlen": change.old_length or 0, "newlen": change.new_length or 0}
        if "timestamp" in props:
            item["timestamp"] = iso(change.timestamp)
        item |= self._summaries.of(number, change.deleted)
        if "redirect" in props:
            item["redirect"] = bool(row[-1])
        if "loginfo" in props and change.source == LOG_SOURCE:
            item |= self._log_info(change)
        if "tags" in props:
            item["tags"] = Arr(self._tags.get(change.change_id, ()), "tag")
        item |= _sha1(*row[recentchanges.WIDTH :][:2]) if "sha1" in props else {}
        if is_hidden(change.deleted, RESTRICTED) and not _HIDDEN.isdisjoint(item):
            item["suppressed"] = True
        return item

    def _about(self, change: ChangeRow, page: Title | None) -> Mapping[str, Any]:
        props = self.p["prop"]
        told: dict[str, Any] = {}
        if "title" in props or "ids" in props:
            if page is None:
                told["actionhidden"] = True
            else:
                told = title_data(page) if "title" in props else told
                told |= _ids(change) if "ids" in props else {}
        if "ids" in props:
            told["rcid"] = change.change_id
        return told

    def _flags(self, change: ChangeRow) -> Mapping[str, Any]:
        told: dict[str, Any] = {}
        if "flags" in self.p["prop"]:
            told["bot"] = bool(change.bot)
            told["new"] = change.source == SOURCES["new"]
            told["minor"] = bool(change.minor)
        if "patrolled" in self.p["prop"]:
            told["patrolled"] = change.patrolled != UNPATROLLED
            told["unpatrolled"] = change.patrolled == UNPATROLLED
            told["autopatrolled"] = change.patrolled == AUTOPATROLLED
        return told

    def _log_info(self, change: ChangeRow) -> Mapping[str, Any]:
        if is_hidden(change.deleted, ACTION):
            return {"actionhidden": True}
        kind = (change.log_type or "", change.log_action or "")
        params, _ = entry_params(
            self.site, kind, change.params or "", change.timestamp, self.context.language
        )
        return {
            "logid": change.log_id,
            "logtype": change.log_type,
            "logaction": change.log_action,
            "logparams": params,
        }


def _ids(change: ChangeRow) -> Mapping[str, Any]:
    return {
        "pageid": change.page_id,
        "revid": change.this_revision,
        "old_revid": change.last_revision,
    }


def _sha1(digest: str | None, bits: int | None) -> Mapping[str, Any]:
    if digest is None:
        return {}
    return {"sha1hidden": True} if is_hidden(bits or 0, TEXT) else {"sha1": hex_sha1(digest)}


def _position(change: ChangeRow) -> str:
    return f"{change.timestamp}|{change.change_id}"
