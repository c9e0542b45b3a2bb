"""``action=feedrecentchanges``."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from peewee import fn

from wikiapi.api import boolean, compact, integer, namespace, string, timestamp, valid_title
from wikiapi.site import Site
from wikiapi.store.models import Actor, LinkTarget, Page, PageLinks, RecentChanges
from wikiapi.store.queries import ChangeRow, recentchanges, tags, visibility
from wikiapi.title import Title
from wikiapi_plugins.shared.feeds.feed import FORM, MAX_ENTRIES, Entry, Feed, FeedAction
from wikiapi_plugins.shared.feeds.summaries import Change, change_summaries

_KEPT_SECONDS = 15
_CATEGORISED = 6
_UNPATROLLED = 0


class FeedRecentChanges(FeedAction):
    """Return a feed of recent changes."""

    name = "feedrecentchanges"
    position = 15
    params = (
        FORM,
        namespace("namespace", "Only changes in this namespace."),
        boolean("invert", "All namespaces except that one."),
        boolean("associated", "Its talk or subject namespace as well."),
        integer("days", "Days to look back.", minimum=1, default=7),
        integer("limit", "Maximum number of changes to return.", minimum=1, maximum=MAX_ENTRIES,
                default=MAX_ENTRIES),
        timestamp("from", "Only changes since this time."),
        boolean("hideminor", "No minor edits."),
        boolean("hidebots", "No edits by bots."),
        boolean("hideanons", "No edits by visitors without an account."),
        boolean("hideliu", "No edits by users with an account."),
        boolean("hidepatrolled", "No patrolled edits."),
        boolean("hidemyself", "No edits by the current user."),
        boolean("hidecategorization", "No changes of category membership."),
        string("tagfilter", "Only changes with this tag."),
        string("target", "Only changes of pages that this page links to."),
        boolean("showlinkedto", "Only changes of pages that link to that page, instead."),
    )  # fmt: skip
    examples = (
        ("action=feedrecentchanges", "Recent changes"),
        ("action=feedrecentchanges&days=30&feedformat=atom", "Changes of 30 days, as Atom"),
    )

    def feed(self) -> Feed:
        """Return the changes, newest first.

        Unless the request says otherwise, the answer may be cached for a short time, because feed
        readers poll often.
        """
        if not self.context.cache.shared_max_age:
            self.context.cache.keep(_KEPT_SECONDS)
        query = recentchanges.SELECT_CHANGES.where(*self._conditions())
        order = (RecentChanges.rc_timestamp.desc(), RecentChanges.rc_id.desc())
        query = query.order_by(*order).limit(self.p.number("limit"))
        rows = [
            (row, self.site.titles.make(row.namespace, row.title))
            for row in map(recentchanges.read, self.db.execute(query))
            if row.namespace is not None and row.title is not None
        ]
        changes = [_change(row, title) for row, title in rows]
        summaries = change_summaries(self.site, self.context.language, changes)
        entries = [
            self._entry(row, title, summary)
            for (row, title), summary in zip(rows, summaries, strict=True)
        ]
        say = self.site.messages.content_text
        about = say("recentchanges-feed-description")
        return self.make(say("recentchanges"), "RecentChanges", about, entries)

    def _entry(self, row: ChangeRow, title: Title, summary: str) -> Entry:
        query = f"diff={row.this_revision}&oldid={row.last_revision}" if row.this_revision else ""
        talk = self.site.namespaces.talk(title.namespace)
        comments = self.site.titles.make(talk.id, title.dbkey) if talk else None
        return Entry(
            title=title.prefixed_text,
            summary=summary,
            url=self.site.page_url(title, query),
            moment=row.timestamp,
            author=row.user_name or "",
            comments=self.site.page_url(comments) if comments else "",
        )

    def _conditions(self) -> Iterator[Any]:
        p, table = self.p, RecentChanges
        earliest = compact(self.context.now - timedelta(days=min(p.number("days"), _MAX_DAYS)))
        yield table.rc_timestamp >= max(earliest, p.text_or_none("from") or "")
        for name, condition in _HIDE.items():
            if p[name]:
                yield condition
        if p.flag("hidemyself"):
            yield (Actor.actor_name != self.context.user.name) & visibility.not_hidden(
                table.rc_deleted, visibility.USER
            )
        if p.is_given("namespace"):
            number = p.number("namespace")
            spaces = [number, number ^ 1] if p.flag("associated") and number >= 0 else [number]
            is_in_spaces = table.rc_namespace.in_(spaces)
            yield ~is_in_spaces if p.flag("invert") else is_in_spaces
        if p.text_or_none("tagfilter"):
            yield table.rc_id.in_(tags.tagged_recent_changes(p.text("tagfilter")))
        if p.text_or_none("target"):
            yield related_keys(self.site, p.text("target"), to_it=p.flag("showlinkedto"))


_MAX_DAYS = 90
_HIDE = {
    "hideminor": RecentChanges.rc_minor == 0,
    "hidebots": RecentChanges.rc_bot == 0,
    "hideanons": Actor.actor_user.is_null(False),
    "hideliu": Actor.actor_user.is_null(),
    "hidepatrolled": RecentChanges.rc_patrolled == _UNPATROLLED,
    "hidecategorization": RecentChanges.rc_type != _CATEGORISED,
}


def _change(row: ChangeRow, title: Title) -> Change:
    if row.source == recentchanges.LOG_SOURCE:
        return Change(title, row.comment or "")
    return Change(title, row.comment or "", row.this_revision, row.last_revision)


def related_keys(site: Site, name: str, *, to_it: bool) -> Any:
    """Return the SQL condition for changes of the pages that a page links to.

    With ``to_it``, it selects changes of the pages that link to it.

    Raises:
        ApiError: ``invalidtitle``.
    """
    title = valid_title(site, name, interwiki=True)
    links = PageLinks.select(PageLinks.pl_from).join_from(
        PageLinks, LinkTarget, on=(LinkTarget.lt_id == PageLinks.pl_target_id)
    )
    if to_it:
        return fn.EXISTS(
            links.where(
                PageLinks.pl_from == RecentChanges.rc_cur_id,
                LinkTarget.lt_namespace == title.ns,
                LinkTarget.lt_title == title.dbkey,
            )
        )
    return fn.EXISTS(
        links.join_from(PageLinks, Page, on=(Page.page_id == PageLinks.pl_from)).where(
            Page.page_namespace == title.ns,
            Page.page_title == title.dbkey,
            LinkTarget.lt_namespace == RecentChanges.rc_namespace,
            LinkTarget.lt_title == RecentChanges.rc_title,
        )
    )
