"""Atom and RSS feeds of histories and new pages, and redirects to the feeds of the API."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from urllib.parse import urlencode

from wikiapi.http import Reply
from wikiapi.store import RevisionRow, bounds
from wikiapi.store.models import Page, Revision
from wikiapi.store.queries import revisions, texts
from wikiapi.title import Title
from wikiapi.wikitext import format_comments
from wikiapi_plugins.shared.feeds.feed import (
    ATOM,
    FORMS,
    MAX_ENTRIES,
    MEDIA_TYPE,
    RSS,
    Entry,
    Feed,
    special_feed,
)
from wikiapi_plugins.shared.feeds.summaries import Change, change_summaries, content_summary
from wikiapi_plugins.web.reader.context import FeedLink, ViewContext
from wikiapi_plugins.web.reader.errors import ViewError
from wikiapi_plugins.web.replies import content_reply, redirect_reply

_IN_HISTORY = 10
_PRIVATE = "private, must-revalidate, max-age=0"

# The special pages and the actions have the same flags, but 0 means false only in special pages.
_CHANGES_FLAGS = (
    "invert", "associated", "hideminor", "hidebots", "hideanons", "hideliu", "hidepatrolled",
    "hidemyself", "hidecategorization", "showlinkedto",
)  # fmt: skip
_CHANGES_VALUES = ("namespace", "days", "limit", "from", "tagfilter", "target")
_EDITS_FLAGS = ("deletedonly", "toponly", "newonly", "hideminor", "showsizediff")
_EDITS_VALUES = ("namespace", "year", "month", "tagfilter")
_NUMBERS = frozenset({"namespace", "days", "limit", "from", "year", "month"})


def is_feed(context: ViewContext) -> bool:
    """Return whether the request is for a feed instead of a page."""
    return bool(context.param("feed"))


def redirect_to_changes(context: ViewContext, target: str = "") -> Reply:
    """Redirect to ``action=feedrecentchanges`` with the parameters of the special page.

    ``target`` is the page to which the changes are related, if they are.
    """
    chosen = _chosen(context, _CHANGES_VALUES, _CHANGES_FLAGS)
    if target:
        chosen["target"] = target
    if int(chosen.get("limit", 0)) > MAX_ENTRIES:
        chosen["limit"] = str(MAX_ENTRIES)
    return _to_api(context, "feedrecentchanges", chosen)


def redirect_to_contributions(context: ViewContext, user: str) -> Reply:
    """Redirect to ``action=feedcontributions`` with the parameters of the special page."""
    chosen = _chosen(context, _EDITS_VALUES, _EDITS_FLAGS)
    return _to_api(context, "feedcontributions", {"user": user, **chosen})


def contributions_link(context: ViewContext, user: str) -> FeedLink:
    """Return the feed that the page of a user's contributions links."""
    query = urlencode({"action": "feedcontributions", "user": user, "feedformat": ATOM})
    return FeedLink(f"{user} Atom feed", f"{_api(context)}?{query}")


def _chosen(context: ViewContext, values: Iterable[str], flags: Iterable[str]) -> dict[str, str]:
    chosen = {
        name: context.param(name)
        for name in values
        if context.param(name) and (name not in _NUMBERS or context.number(name) is not None)
    }
    return chosen | {name: "1" for name in flags if context.param(name) not in ("", "0")}


def _to_api(context: ViewContext, action: str, chosen: Mapping[str, str]) -> Reply:
    form = ATOM if context.param("feed") == ATOM else RSS
    query = urlencode({"action": action, **chosen, "feedformat": form})
    return redirect_reply(f"{_api(context)}?{query}", 301)


def _api(context: ViewContext) -> str:
    path = f"{context.site.config.site.script_path}/api.php"
    return context.reader.addresses.below(context.root, path)


def history_link(context: ViewContext, title: Title) -> FeedLink:
    """Return the feed that the history of a page links."""
    url = context.url(title, action="history", feed=ATOM)
    return FeedLink(f'"{title.prefixed_text}" Atom feed', url)


def show_history_feed(context: ViewContext, title: Title, rows: Sequence[RevisionRow]) -> Reply:
    """Send the revisions of a page as a feed; ``rows`` are its revisions, newest first."""
    rows = rows[: min(context.number("limit") or _IN_HISTORY, MAX_ENTRIES)]
    site = context.site
    changes = [Change(title, row.comment or "", row.rev_id, row.parent_id or 0) for row in rows]
    summaries = change_summaries(site, site.language, changes)
    entries = [
        Entry(
            title=f"{row.user_name or ''}: {row.comment}" if row.comment else row.user_name or "",
            summary=summary,
            url=site.page_url(title, f"diff={row.rev_id}&oldid=prev"),
            moment=row.timestamp,
            author=row.user_name or "",
            comments=_comments_url(context, title),
        )
        for row, summary in zip(rows, summaries, strict=True)
    ]
    feed = Feed(
        title=f"{title.prefixed_text} - Revision history",
        description="Revision history for this page on the wiki",
        page_url=site.page_url(title, "action=history"),
        own_url=_own_url(context),
        language=site.language,
        generator=site.config.site.generator,
        now=site.clock(),
        entries=entries,
    )
    return _sending(context, feed)


def show_new_pages_feed(context: ViewContext, namespace: int | None) -> Reply:
    """Send the first revisions of the newest pages as a feed. Four queries."""
    query = revisions.SELECT_REVISIONS_WITH_PAGE.select_extend(
        Page.page_namespace, Page.page_title
    ).where(Revision.rev_parent_id == 0)
    if namespace is not None:
        query = query.where(Page.page_namespace == namespace)
    order = (Revision.rev_timestamp, Revision.rev_id)
    limit = min(context.number("limit") or MAX_ENTRIES, MAX_ENTRIES)
    rows = context.db.execute(bounds.ordered(query, *order, descending=True).limit(limit))
    edits = [revisions.read(row) for row in rows]
    titles = [context.site.titles.make(edit.namespace, edit.title) for edit in edits]
    stored = texts.of_revisions(context.db, [edit.rev_id for edit in edits])
    comments = format_comments(
        context.site.parser,
        [(edit.comment or "", title) for edit, title in zip(edits, titles, strict=True)],
    )
    entries = [
        Entry(
            title=title.prefixed_text,
            summary=content_summary(edit, comment, stored.get(edit.rev_id)),
            url=context.site.page_url(title),
            moment=edit.timestamp,
            author=edit.user_name or "",
            comments=_comments_url(context, title),
        )
        for edit, title, comment in zip(edits, titles, comments, strict=True)
    ]
    feed = special_feed(
        context.site,
        "New pages",
        "NewPages",
        f"From {context.site.config.site.name}",
        entries,
        _own_url(context),
    )
    return _sending(context, feed)


def _comments_url(context: ViewContext, title: Title) -> str:
    talk = context.site.titles.talk(title)
    return context.site.page_url(talk) if talk else ""


def _own_url(context: ViewContext) -> str:
    request = context.request
    path = context.reader.addresses.below(request.root, context.reader.addresses.index)
    query = urlencode({"title": context.page.prefixed_dbkey if context.page else ""})
    rest = urlencode(
        [item for item in request.params.items() if item[0] != "title"], errors="replace"
    )
    return f"{context.site.config.site.server}{path}?{query}&{rest}"


def _sending(context: ViewContext, feed: Feed) -> Reply:
    form = context.param("feed")
    if form not in FORMS:
        raise ViewError(400, "reader-no-feed", context.plain(form))
    body = feed.text(form).encode("utf-8", "replace")
    return content_reply(body, MEDIA_TYPE, cache=_PRIVATE)
