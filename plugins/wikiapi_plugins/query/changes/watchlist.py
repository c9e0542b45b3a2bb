"""``list=watchlist``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from peewee import JOIN

from wikiapi.api import (
    Arr,
    CacheMode,
    GeneratedPages,
    ListModule,
    Obj,
    boolean,
    continuation,
    direction,
    enum,
    iso,
    limit,
    namespace,
    timestamp,
    title_data,
    user,
)
from wikiapi.errors import ApiError
from wikiapi.pages import AUTOPATROLLED, UNPATROLLED, watching
from wikiapi.store import WatchlistExpiry
from wikiapi.store.models import Page, RecentChanges, Watchlist
from wikiapi.store.queries import ChangeRow, recentchanges, tags, visibility
from wikiapi.title import Title
from wikiapi_plugins.query.authorship import (
    comment_data,
    hidden_flags,
    parsed_comments,
    readable_entry_bits,
    suppressed_flag,
    user_data,
)
from wikiapi_plugins.query.changes.changefilter import (
    EXTERNAL,
    SOURCES,
    watched_conditions,
)
from wikiapi_plugins.query.changes.logformats import log_info
from wikiapi_plugins.query.changes.logtexts import LogTexts
from wikiapi_plugins.query.changes.watchlists import owner_of, owner_params
from wikiapi_plugins.query.timeline import Timeline
from wikiapi_plugins.query.userfilter import KINDS

_TIMELINE = Timeline(RecentChanges.rc_timestamp, RecentChanges.rc_id)
_SHOW_VALUES = tuple(
    sign + quality
    for quality in ("minor", "bot", "anon", "patrolled", "autopatrolled", "unread")
    for sign in ("", "!")
)
"""The properties that listed changes may be required to have, or with ``!`` not to have."""
_ACTION = frozenset({"ids", "title", "loginfo"})
"""The properties that tell what a log entry is about."""
_TYPES = {source: name for name, source in SOURCES.items()}


class _WatchedChange(NamedTuple):
    """A change, the time of the first unseen change of its page, and the expiry of the entry."""

    change: ChangeRow
    unseen_since: str | None
    expiry: str | None


class WatchlistChanges(ListModule):
    """List the latest changes of the pages that the user watches."""

    name = "watchlist"
    prefix = "wl"
    element = "item"
    params = (
        boolean("allrev", "List every change of a page, not only the last one."),
        timestamp("start", "The time to begin with."),
        timestamp("end", "The time to end with."),
        namespace(help="Only changes in these namespaces.", multi=True),
        user("user", "Only changes by this user.", kinds=KINDS),
        user("excludeuser", "No changes by this user.", kinds=KINDS),
        direction(),
        limit("How many changes to return."),
        enum("prop", "ids", "title", "flags", "user", "userid", "comment", "parsedcomment",
             "timestamp", "patrol", "sizes", "notificationtimestamp", "loginfo", "tags", "expiry",
             multi=True, default="ids|title|flags", help="Properties of each change to include.",
             value_help=(("ids", "The ids of page, change and revisions."),
                         ("title", "The title of the page."),
                         ("flags", "Whether it is minor, a new page, or by a bot."),
                         ("user", "Who made it."),
                         ("userid", "Who made it, as an id."),
                         ("comment", "The summary."),
                         ("parsedcomment", "The summary as HTML."),
                         ("timestamp", "When it was made."),
                         ("patrol", "Whether it is patrolled."),
                         ("sizes", "The lengths of the page before and after, in bytes."),
                         ("notificationtimestamp", "When the user was last notified of a change."),
                         ("loginfo", "Its log entry."),
                         ("tags", "Its tags."),
                         ("expiry", "Until when the page is watched."))),
        enum("show", *_SHOW_VALUES, multi=True,
             help="Only changes with these properties, or with ! only those without."),
        enum("type", *SOURCES, EXTERNAL, multi=True, default="edit|new|log|categorize",
             help="The types of changes to list."),
        *owner_params(),
        continuation(),
    )  # fmt: skip
    examples = (
        ("action=query&list=watchlist&wlallrev=&wlprop=ids|title|timestamp", "The last changes"),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Watchlist",)

    def cache_mode(self) -> CacheMode:
        """Return ``PRIVATE``, because a watchlist is only shown to its owner."""
        return CacheMode.PRIVATE

    def execute(self) -> None:
        """List the changes of watched pages."""
        changes = self._changes()
        self.result.list(self.list_path, self.element)
        self.emit(self._items(changes[: self.limit]), changes, _continue_value)

    def generate(self, pages: GeneratedPages) -> None:
        """Yield the changed pages, or the revisions that the changes made."""
        changes = [one.change for one in self.within_limit(self._changes(), _continue_value)]
        if self.p.flag("allrev"):
            # Changes without a revision, such as deletions, count as revisions that do not exist.
            pages.revision_ids += [change.this_revision for change in changes]
        else:
            pages.titles += [self._title(change) for change in changes]

    def _changes(self) -> list[_WatchedChange]:
        owner, table = owner_of(self), RecentChanges
        is_watched = (Watchlist.wl_namespace == table.rc_namespace) & (
            Watchlist.wl_title == table.rc_title
        )
        ends = WatchlistExpiry.we_item == Watchlist.wl_id
        query: Any = (
            recentchanges.SELECT_CHANGES.select_extend(
                Watchlist.wl_notificationtimestamp, WatchlistExpiry.we_expiry
            )
            .join_from(table, Watchlist, on=is_watched)
            .join_from(Watchlist, WatchlistExpiry, JOIN.LEFT_OUTER, on=ends)
            .join_from(table, Page, JOIN.LEFT_OUTER, on=(Page.page_id == table.rc_cur_id))
            .where(Watchlist.wl_user == owner, watching.still_watched(self.site))
            .where(
                *_TIMELINE.conditions(self), *watched_conditions(self), *self._unread_conditions()
            )
        )
        if not self.p.flag("allrev"):
            is_latest = table.rc_this_oldid == Page.page_latest
            query = query.where(is_latest | (table.rc_source == recentchanges.LOG_SOURCE))
        rows = self.rows(_TIMELINE.ordered(query, self).limit(self.p.number("limit") + 1))
        width = recentchanges.WIDTH
        readable = readable_entry_bits(self.context.user)
        return [_WatchedChange(recentchanges.read(row, readable), *row[width:]) for row in rows]

    def _unread_conditions(self) -> list[Any]:
        """Return the condition that the watcher has not, or has, seen the change."""
        show = self.p.texts("show")
        if "unread" in show and "!unread" in show:
            raise ApiError("show", "apierror-show")
        since = Watchlist.wl_notificationtimestamp
        unread = since.is_null(False) & (since <= RecentChanges.rc_timestamp)
        if "unread" in show:
            return [unread]
        seen = since.is_null() | (since > RecentChanges.rc_timestamp)
        return [seen] if "!unread" in show else []

    def _title(self, change: ChangeRow) -> Title:
        return self.site.titles.make(change.namespace or 0, change.title or "")

    def _items(self, changes: list[_WatchedChange]) -> Iterator[Obj]:
        """Yield the item of each change."""
        props = frozenset(self.p.texts("prop"))
        comments = [(one.change.comment, self._title(one.change)) for one in changes]
        html = parsed_comments(self.context, props, comments)
        ids = [one.change.change_id for one in changes] if "tags" in props else ()
        tagged = tags.of_recent_changes(self.db, ids)
        language = self.context.language
        entries = {
            one.change.change_id: (one.change, log_info(self.site, one.change, language))
            for one in changes
            if "loginfo" in props and one.change.source == recentchanges.LOG_SOURCE
        }
        logged = [(change, info["logparams"]) for change, info in entries.values()]
        entry_texts = LogTexts(self.site, language, logged)
        for (change, unseen_since, expiry), markup in zip(changes, html, strict=False):
            item = Obj({"type": _TYPES.get(change.source, EXTERNAL)})
            is_log_entry = change.source == recentchanges.LOG_SOURCE
            # For edits the same bit hides the text.
            if (
                is_log_entry
                and change.deleted & visibility.ACTION
                and not props.isdisjoint(_ACTION)
            ):
                item["actionhidden"] = True
            if "title" in props:
                item |= title_data(self._title(change))
            if "ids" in props:
                item |= {
                    "pageid": change.page_id,
                    "revid": change.this_revision,
                    "old_revid": change.last_revision,
                }
            closed = change.deleted & ~change.readable
            item |= user_data(props, closed, change.user_id, change.user_name)
            if "user" in props and "userhidden" not in item:
                item |= {"temp": False, "anon": not change.user_id}
            if "flags" in props:
                item |= {
                    "bot": bool(change.bot),
                    "new": change.source == SOURCES["new"],
                    "minor": bool(change.minor),
                }
            if "patrol" in props:
                item |= {
                    "patrolled": change.patrolled != UNPATROLLED,
                    "unpatrolled": change.patrolled == UNPATROLLED,
                    "autopatrolled": change.patrolled == AUTOPATROLLED,
                }
            if "timestamp" in props:
                item["timestamp"] = iso(change.timestamp)
            if "sizes" in props:
                item |= {"oldlen": change.old_length or 0, "newlen": change.new_length or 0}
            if "notificationtimestamp" in props:
                item["notificationtimestamp"] = iso(unseen_since) if unseen_since else ""
            item |= comment_data(props, closed, change.comment, markup)
            item |= hidden_flags(props, change.readable)
            if "expiry" in props:
                item["expiry"] = iso(expiry) if expiry else False
            if entry := entries.get(change.change_id):
                info = entry[1]
                item |= info
                item["logdisplay"] = entry_texts.html(change, info["logparams"])
            if "tags" in props:
                item["tags"] = Arr(tagged.get(change.change_id, ()), "tag")
            item |= suppressed_flag(change.deleted, item)
            yield item


def _continue_value(listed: _WatchedChange) -> str:
    return f"{listed.change.timestamp}|{listed.change.change_id}"
