"""``list=recentchanges``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from peewee import JOIN, SQL

from wikiapi.api import (
    VIRTUAL,
    Arr,
    GeneratedPages,
    ListModule,
    boolean,
    continuation,
    enum,
    iso,
    limit,
    namespace,
    string,
    title_data,
    user,
)
from wikiapi.store.models import Actor, Page, RecentChanges, Revision
from wikiapi.store.queries import ChangeRow, recentchanges, tags, visibility
from wikiapi.title import Title
from wikiapi_plugins.query.authorship import (
    comment_data,
    hidden_flags,
    parsed_comments,
    seen_of_entries,
    user_data,
)
from wikiapi_plugins.query.changes.changefilter import (
    EXTERNAL,
    SHOWN,
    SOURCES,
    conditions,
    has_filters,
    needs_page,
    rare,
)
from wikiapi_plugins.query.changes.logformats import log_info
from wikiapi_plugins.query.changes.patrol import AUTOPATROLLED, UNPATROLLED
from wikiapi_plugins.query.revisions.revisioncontent import hex_sha1
from wikiapi_plugins.query.revisions.revisionoptions import seen_parts
from wikiapi_plugins.query.timeline import Timeline, is_descending, timeline_params
from wikiapi_plugins.query.userfilter import KINDS, is_user

_TIMELINE = Timeline(RecentChanges.rc_timestamp, RecentChanges.rc_id)
_TYPES = {source: name for name, source in SOURCES.items()}
_HIDDEN = frozenset({"actionhidden", "userhidden", "commenthidden", "sha1hidden"})
_NOTHING = SQL("NULL")


class ListedChange(NamedTuple):
    """A change, whether its page is a redirect, and data of the revision that it made.

    ``revision_bits`` are the visibility bits of that revision.
    """

    change: ChangeRow
    is_redirect: int | None
    sha1: str | None = None
    revision_bits: int | None = None


class RecentChangesList(ListModule):
    """List the latest changes of the wiki."""

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
             default="title|timestamp|ids", help="Properties of each change to include.",
             value_help=(("user", "Who made it."),
                         ("userid", "Who made it, as an id."),
                         ("comment", "The summary."),
                         ("parsedcomment", "The summary as HTML."),
                         ("flags", "Whether it is minor, a new page, or by a bot."),
                         ("timestamp", "When it was made."),
                         ("title", "The title of the page."),
                         ("ids", "The ids of page, change and revisions."),
                         ("sizes", "The lengths of the page before and after, in bytes."),
                         ("redirect", "Whether the page is a redirect."),
                         ("patrolled", "Whether it is patrolled; requires a right."),
                         ("loginfo", "Its log entry."),
                         ("tags", "Its tags."),
                         ("sha1", "The SHA-1 of the revision that it made."))),
        enum("show", *SHOWN, multi=True,
             help="Only changes with these properties, or with ! only those without."),
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
        changes = self._changes()
        self.emit(self._items(changes[: self.limit]), changes, _continue_value)

    def generate(self, pages: GeneratedPages) -> None:
        """Yield the changed pages, or the revisions that the changes made."""
        found = self._changes()
        if found:
            # New changes may precede these while a client continues with the same batch.
            self.hold_batch(_continue_value(found[0]))
        changes = [one.change for one in self.within_limit(found, _continue_value)]
        if self.p.flag("generaterevisions"):
            pages.revision_ids += [c.this_revision for c in changes if c.this_revision]
        else:
            pages.titles += [title for title in map(self._title, changes) if title]

    def _changes(self) -> list[ListedChange]:
        filters, walk, few = conditions(self), _TIMELINE.conditions(self), rare(self)
        found = [*few, *walk, *filters]
        with_page, with_sha1 = needs_page(self), "sha1" in self.p.texts("prop")
        query: Any = recentchanges.SELECT_CHANGES.select_extend(
            Page.page_is_redirect if with_page else _NOTHING,
            *((Revision.rev_sha1, Revision.rev_deleted) if with_sha1 else ()),
        )
        if with_page:
            here = Page.page_id == RecentChanges.rc_cur_id
            query = query.join_from(RecentChanges, Page, JOIN.LEFT_OUTER, on=here)
        if with_sha1:
            made = Revision.rev_id == RecentChanges.rc_this_oldid
            query = query.join_from(RecentChanges, Revision, JOIN.LEFT_OUTER, on=made)
        query = query.where(*found) if found else query
        if has_filters(self) and not few:
            query = self._bounded(query, walk)
        rows = self.rows(_TIMELINE.ordered(query, self).limit(self.p.number("limit") + 1))
        width, seen = recentchanges.WIDTH, seen_of_entries(self.context.user)
        return [ListedChange(recentchanges.read(row, seen), *row[width:]) for row in rows]

    def _bounded(self, query: Any, walk: list[Any]) -> Any:
        columns = [RecentChanges.rc_timestamp, RecentChanges.rc_id]
        places: Any = RecentChanges.select(*columns)
        if self.p.is_given("user"):
            places = places.join(Actor, on=(Actor.actor_id == RecentChanges.rc_actor))
            walk = [*walk, is_user(self.p.text("user"))]
        places = places.where(*walk) if walk else places
        return self.bounded(query, places, columns, descending=is_descending(self))

    def _title(self, change: ChangeRow) -> Title | None:
        if change.namespace is None or change.title is None:
            return None
        return self.site.titles.make(change.namespace, change.title)

    def _items(self, changes: list[ListedChange]) -> Iterator[dict[str, Any]]:
        """Yield the item of each change."""
        props = frozenset(self.p.texts("prop"))
        titles = [self._title(listed.change) for listed in changes]
        comments = zip((listed.change.comment for listed in changes), titles, strict=True)
        html = parsed_comments(self.site, props, comments)
        ids = [listed.change.change_id for listed in changes] if "tags" in props else ()
        tagged = tags.of_recent_changes(self.db, ids)
        for (change, is_redirect, sha1, revision_bits), page, markup in zip(
            changes, titles, html, strict=False
        ):
            closed = change.deleted & ~change.readable
            item: dict[str, Any] = {"type": _TYPES.get(change.source, EXTERNAL)}
            if _hides_action(change) and ("title" in props or "ids" in props):
                item["actionhidden"] = True
            if page is not None:
                if "title" in props:
                    item |= title_data(page)
                if "ids" in props:
                    item["pageid"] = change.page_id
                    item["revid"] = change.this_revision
                    item["old_revid"] = change.last_revision
            if "ids" in props:
                item["rcid"] = change.change_id
            item |= user_data(props, closed, change.user_id, change.user_name)
            if "flags" in props:
                item["bot"] = bool(change.bot)
                item["new"] = change.source == SOURCES["new"]
                item["minor"] = bool(change.minor)
            if "patrolled" in props:
                item["patrolled"] = change.patrolled != UNPATROLLED
                item["unpatrolled"] = change.patrolled == UNPATROLLED
                item["autopatrolled"] = change.patrolled == AUTOPATROLLED
            if "sizes" in props:
                item["oldlen"] = change.old_length or 0
                item["newlen"] = change.new_length or 0
            if "timestamp" in props:
                item["timestamp"] = iso(change.timestamp)
            item |= comment_data(props, closed, change.comment, markup)
            item |= hidden_flags(props, change.readable)
            if "redirect" in props:
                item["redirect"] = bool(is_redirect)
            if "loginfo" in props and change.source == recentchanges.LOG_SOURCE:
                item |= self._log_info(change)
            if "tags" in props:
                item["tags"] = Arr(tagged.get(change.change_id, ()), "tag")
            if sha1 is not None:
                bits = revision_bits or 0
                if bits & visibility.TEXT:
                    item["sha1hidden"] = True
                if (
                    not bits
                    & ~visibility.readable_bits(bits, seen_parts(self.context.user))
                    & visibility.TEXT
                ):
                    item["sha1"] = hex_sha1(sha1)
            if change.deleted & visibility.RESTRICTED and not _HIDDEN.isdisjoint(item):
                item["suppressed"] = True
            yield item

    def _log_info(self, change: ChangeRow) -> Mapping[str, Any]:
        if change.deleted & ~change.readable & visibility.ACTION:
            return {"actionhidden": True}
        note = {"actionhidden": True} if change.deleted & visibility.ACTION else {}
        return {**log_info(self.site, change, self.context.language), **note}


def _hides_action(change: ChangeRow) -> bool:
    """Return whether the action of a log entry is hidden; for edits the bit hides the text."""
    return change.source == recentchanges.LOG_SOURCE and bool(change.deleted & visibility.ACTION)


def _continue_value(listed: ListedChange) -> str:
    return f"{listed.change.timestamp}|{listed.change.change_id}"
