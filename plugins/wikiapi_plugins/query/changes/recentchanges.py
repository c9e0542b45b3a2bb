"""``list=recentchanges``."""

from __future__ import annotations

from collections.abc import Iterator
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
from wikiapi.pages import AUTOPATROLLED, UNPATROLLED
from wikiapi.store.models import Actor, Page, RecentChanges, Revision
from wikiapi.store.queries import ChangeRow, recentchanges, tags, visibility
from wikiapi.title import Title
from wikiapi_plugins.query.authorship import (
    comment_data,
    hidden_flags,
    parsed_comments,
    readable_entry_bits,
    readable_revision_bits,
    suppressed_flag,
    user_data,
)
from wikiapi_plugins.query.changes.changefilter import (
    EXTERNAL,
    SHOW_VALUES,
    SOURCES,
    change_conditions,
    has_filters,
    needs_page,
    rare_condition,
)
from wikiapi_plugins.query.changes.logformats import log_info
from wikiapi_plugins.query.revisions.revisionitems import hex_sha1
from wikiapi_plugins.query.timeline import Timeline, is_descending, timeline_params
from wikiapi_plugins.query.userfilter import KINDS, is_user

_TIMELINE = Timeline(RecentChanges.rc_timestamp, RecentChanges.rc_id)
_TYPES = {source: name for name, source in SOURCES.items()}
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
        enum("show", *SHOW_VALUES, multi=True,
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
        listed = self._changes()
        if listed:
            # New changes may precede these while a client continues with the same batch.
            self.hold_batch(_continue_value(listed[0]))
        changes = [row.change for row in self.within_limit(listed, _continue_value)]
        if self.p.flag("generaterevisions"):
            pages.revision_ids += [c.this_revision for c in changes if c.this_revision]
        else:
            pages.titles += [title for title in map(self._title, changes) if title]

    def _changes(self) -> list[ListedChange]:
        filters, period = change_conditions(self), _TIMELINE.conditions(self)
        rare = rare_condition(self)
        with_page, with_sha1 = needs_page(self), "sha1" in self.p.texts("prop")
        query: Any = recentchanges.SELECT_CHANGES.select_extend(
            Page.page_is_redirect if with_page else _NOTHING,
            *((Revision.rev_sha1, Revision.rev_deleted) if with_sha1 else ()),
        )
        if with_page:
            is_changed_page = Page.page_id == RecentChanges.rc_cur_id
            query = query.join_from(RecentChanges, Page, JOIN.LEFT_OUTER, on=is_changed_page)
        if with_sha1:
            is_made = Revision.rev_id == RecentChanges.rc_this_oldid
            query = query.join_from(RecentChanges, Revision, JOIN.LEFT_OUTER, on=is_made)
        if conditions := [*rare, *period, *filters]:
            query = query.where(*conditions)
        if has_filters(self) and not rare:
            columns = [RecentChanges.rc_timestamp, RecentChanges.rc_id]
            walk: Any = RecentChanges.select(*columns)
            if self.p.is_given("user"):
                walk = walk.join(Actor, on=(Actor.actor_id == RecentChanges.rc_actor))
                period = [*period, is_user(self.p.text("user"))]
            walk = walk.where(*period) if period else walk
            query = self.bounded(query, walk, columns, descending=is_descending(self))
        rows = self.rows(_TIMELINE.ordered(query, self).limit(self.p.number("limit") + 1))
        width, readable = recentchanges.WIDTH, readable_entry_bits(self.context.user)
        return [ListedChange(recentchanges.read(row, readable), *row[width:]) for row in rows]

    def _title(self, change: ChangeRow) -> Title | None:
        if change.namespace is None or change.title is None:
            return None
        return self.site.titles.make(change.namespace, change.title)

    def _items(self, changes: list[ListedChange]) -> Iterator[dict[str, Any]]:
        """Yield the item of each change."""
        props = frozenset(self.p.texts("prop"))
        titles = [self._title(listed.change) for listed in changes]
        comments = zip((listed.change.comment for listed in changes), titles, strict=True)
        html = parsed_comments(self.context, props, comments)
        ids = [listed.change.change_id for listed in changes] if "tags" in props else ()
        tagged = tags.of_recent_changes(self.db, ids)
        for (change, is_redirect, sha1, revision_bits), page, markup in zip(
            changes, titles, html, strict=False
        ):
            closed = change.deleted & ~change.readable
            is_log_entry = change.source == recentchanges.LOG_SOURCE
            # For edits the same bit hides the text.
            hides_action = is_log_entry and bool(change.deleted & visibility.ACTION)
            item: dict[str, Any] = {"type": _TYPES.get(change.source, EXTERNAL)}
            if hides_action and ("title" in props or "ids" in props):
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
            if "loginfo" in props and is_log_entry:
                if not closed & visibility.ACTION:
                    item |= log_info(self.site, change, self.context.language)
                if hides_action:
                    item["actionhidden"] = True
            if "tags" in props:
                item["tags"] = Arr(tagged.get(change.change_id, ()), "tag")
            if sha1 is not None:
                bits = revision_bits or 0
                if bits & visibility.TEXT:
                    item["sha1hidden"] = True
                readable = visibility.readable_bits(bits, readable_revision_bits(self.context.user))
                if not bits & ~readable & visibility.TEXT:
                    item["sha1"] = hex_sha1(sha1)
            item |= suppressed_flag(change.deleted, item)
            yield item


def _continue_value(listed: ListedChange) -> str:
    return f"{listed.change.timestamp}|{listed.change.change_id}"
