"""Lists of changes: recent changes, a user's contributions, new pages, and the logs.

Edits are read from the table of revisions, since a store that was imported from a dump has no
recent changes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from wikiapi.http import Reply
from wikiapi.store import bounds
from wikiapi.store.models import Actor, Logging, Page, Revision
from wikiapi.store.queries import LogRow, links, logs, pages, revisions, visibility
from wikiapi.title import USER, Title
from wikiapi.wikitext import format_comments
from wikiapi_plugins.query.authorship import RESTRICTED_LOGS
from wikiapi_plugins.query.changes.logevents import LOG_ACTIONS
from wikiapi_plugins.web.reader.context import FeedLink, ViewContext
from wikiapi_plugins.web.reader.errors import ViewError
from wikiapi_plugins.web.reader.views.feeds import (
    contributions_link,
    is_feed,
    redirect_to_changes,
    redirect_to_contributions,
    show_new_pages_feed,
)
from wikiapi_plugins.web.reader.views.history import revision_entries
from wikiapi_plugins.web.reader.views.redirection import page_of_subpage
from wikiapi_plugins.web.reader.words import isolated

_MAX_CHANGES = 50
_POSITION = re.compile(r"([0-9]{14})\.([0-9]{1,15})\Z", re.ASCII)


def show_recent_changes(context: ViewContext, _: Title) -> Reply:
    """Show the newest revisions of all pages, or redirect to their feed."""
    if is_feed(context):
        return redirect_to_changes(context)
    return _list(context, context.text("recent-changes"), "RecentChanges")


def show_new_pages(context: ViewContext, _: Title) -> Reply:
    """Show the first revisions of the newest pages, or send them as a feed."""
    number = context.number("namespace")
    if is_feed(context):
        return show_new_pages_feed(context, number)
    conditions: list[Any] = [Revision.rev_parent_id == 0]
    query: dict[str, str | int] = {}
    if number is not None:
        conditions.append(Page.page_namespace == number)
        query["namespace"] = number
    feed = FeedLink(
        f"{context.text('new-pages')} Atom feed", context.special("NewPages", feed="atom", **query)
    )
    return _list(
        context, context.text("new-pages"), "NewPages", conditions, query=query, feeds=[feed]
    )


def show_related_changes(context: ViewContext, title: Title) -> Reply:
    """Show the newest revisions of the pages that a page links to, or redirect to their feed.

    With ``showlinkedto``, those of the pages that link to it. If no page is named, show a form.
    """
    if not title.dbkey.partition("/")[2] and not context.param("target"):
        return context.render(
            "relatedchanges.html", context.text("related-changes"), page=None, is_to_it=False
        )
    page = page_of_subpage(context, title)
    if is_feed(context):
        return redirect_to_changes(context, page.prefixed_text)
    query: dict[str, str | int] = {"target": page.prefixed_text}
    is_to_it = context.param("showlinkedto") not in ("", "0")
    if is_to_it:
        query["showlinkedto"] = 1
    return _list(
        context,
        context.phrase("related-changes-of", context.named(page)),
        "RecentChangesLinked",
        [Revision.rev_page.in_(_related_pages(context, page, to_it=is_to_it))],
        query=query,
        template="relatedchanges.html",
        page=page,
        is_to_it=is_to_it,
    )


def _related_pages(context: ViewContext, page: Title, *, to_it: bool) -> Any:
    """Return a query for the ids of the pages that a page links to, or that link to it."""
    table = links.in_schema(context.db, links.PAGES)
    if to_it:
        return table.select_links.select(table.source).where(links.target_in(table, [page.key]))
    is_target = (Page.page_namespace == table.namespace) & (Page.page_title == table.title)
    row = pages.by_titles(context.db, [page.key]).get(page.key)
    linked = table.select_links.select(Page.page_id).join_from(table.model, Page, on=is_target)
    return linked.where(table.source == (row.page_id if row else 0))


def show_contributions(context: ViewContext, title: Title) -> Reply:
    """Show the newest edits of a user, or redirect to their feed; a form if no user is named.

    Raises:
        ViewError: a feed is requested without a user.
    """
    text = title.dbkey.partition("/")[2] or context.param("target") or context.param("user")
    if not text and is_feed(context):
        raise ViewError(400, "reader-special-needs-user")
    if not text:
        return context.render(
            "contributions.html", context.text("contributions"), user="", entries=()
        )
    named = context.site.titles.try_parse(text, USER)
    user = named.text if named and not named.interwiki and named.ns == USER else text
    if is_feed(context):
        return redirect_to_contributions(context, user)
    conditions = [
        (Actor.actor_name == user) & visibility.not_hidden(Revision.rev_deleted, visibility.USER)
    ]
    return _list(
        context,
        context.phrase("contributions-of", isolated(user)),
        f"Contributions/{user.replace(' ', '_')}",
        conditions,
        feeds=[contributions_link(context, user)],
        template="contributions.html",
        user=user,
    )


def _list(
    context: ViewContext,
    heading: Any,
    special: str,
    conditions: Sequence[Any] = (),
    *,
    query: dict[str, str | int] | None = None,
    feeds: Sequence[FeedLink] = (),
    template: str = "recentchanges.html",
    user: str = "",
    **values: Any,
) -> Reply:
    """Show the edits that meet conditions, from the position in ``from`` on.

    ``user`` is the author, if the list is of one user's edits. The other ``values`` are those that
    only this template needs.
    """
    columns = (Revision.rev_timestamp, Revision.rev_id)
    select = revisions.SELECT_REVISIONS_WITH_PAGE.select_extend(
        Page.page_namespace, Page.page_title
    )
    if conditions:
        select = select.where(*conditions)
    position = _POSITION.match(context.param("from"))
    if position:
        place = position[1], int(position[2])
        select = select.where(bounds.starting_at(columns, place, descending=True))
    rows = context.db.execute(
        bounds.ordered(select, *columns, descending=True).limit(_MAX_CHANGES + 1)
    )
    edits = map(revisions.read, rows)
    edits_with_titles = [
        (edit, context.site.titles.make(edit.namespace, edit.title)) for edit in edits
    ]
    older = edits_with_titles[_MAX_CHANGES][0] if edits_with_titles[_MAX_CHANGES:] else None
    listed = edits_with_titles[:_MAX_CHANGES]
    kept = query or {}
    following = {**kept, "from": f"{older.timestamp}.{older.rev_id}"} if older else {}
    return context.render(
        template,
        heading,
        user=user,
        feeds=feeds,
        people=[*(edit.user_name for edit, _ in listed), user],
        entries=list(
            zip(revision_entries(context, listed), (title for _, title in listed), strict=True)
        ),
        first=context.special(special, **kept) if position else "",
        following=context.special(special, **following) if following else "",
        **values,
    )


_PER_PAGE = 50
_FILTERS = ("logid", "type", "user", "page")


@dataclass(frozen=True, slots=True)
class Event:
    """An entry of a log. ``title`` is ``None`` if it is hidden, or not that of a page."""

    row: LogRow
    title: Title | None
    comment: Markup

    @property
    def is_user_hidden(self) -> bool:
        """Whether the user name is suppressed."""
        return self.row.user_name is None

    @property
    def is_comment_hidden(self) -> bool:
        """Whether the comment is suppressed."""
        return bool(self.row.deleted & visibility.COMMENT)


def show_log(context: ViewContext, title: Title) -> Reply:
    """Show the newest entries from the position in ``from`` on, or the one that ``logid`` names.

    The parameters ``type`` (or the subpage), ``user`` and ``page`` filter the entries.
    """
    columns = (Logging.log_timestamp, Logging.log_id)
    conditions = [Logging.log_type.not_in(list(RESTRICTED_LOGS))]
    if log_type := _type(context, title):
        conditions.append(Logging.log_type == log_type)
    number = context.number("logid")
    if number is not None:
        conditions.append(Logging.log_id == number)
    if user := context.param("user"):
        conditions.append(
            (Actor.actor_name == user) & visibility.not_hidden(Logging.log_deleted, visibility.USER)
        )
    if page_name := context.param("page"):
        page = context.site.titles.try_parse(page_name)
        key = page.key if page and not page.interwiki else (0, "")
        conditions.append((Logging.log_namespace == key[0]) & (Logging.log_title == key[1]))
        conditions.append(visibility.not_hidden(Logging.log_deleted, visibility.ACTION))
    query = logs.SELECT_LOG_ENTRIES.where(*conditions)
    position = _POSITION.match(context.param("from"))
    if position:
        query = query.where(
            bounds.starting_at(columns, (position[1], int(position[2])), descending=True)
        )
    rows = context.db.execute(bounds.ordered(query, *columns, descending=True).limit(_PER_PAGE + 1))
    entries = [logs.read(row) for row in rows]
    older = entries[_PER_PAGE] if entries[_PER_PAGE:] else None
    kept: dict[str, str | int] = {
        name: context.param(name) for name in _FILTERS if context.param(name)
    }
    return context.render(
        "log.html",
        context.text("logs"),
        people=[row.user_name for row in entries[:_PER_PAGE]],
        types=[name for name in LOG_ACTIONS if name and name not in RESTRICTED_LOGS],
        type=_type(context, title),
        user=context.param("user"),
        page=context.param("page"),
        events=list(_events(context, entries[:_PER_PAGE])),
        first=context.special("Log", **kept) if position else "",
        following=(
            context.special("Log", **kept, **{"from": f"{older.timestamp}.{older.log_id}"})
            if older
            else ""
        ),
    )


def _type(context: ViewContext, title: Title) -> str:
    name = context.param("type") or title.dbkey.partition("/")[2]
    return name if name in LOG_ACTIONS else ""


def _events(context: ViewContext, rows: list[LogRow]) -> Iterator[Event]:
    make = context.site.titles.make
    titles = [
        make(row.namespace, row.title) if row.namespace is not None and row.title else None
        for row in rows
    ]
    main = context.site.main_page
    comments = format_comments(
        context.site.parser,
        [(row.comment or "", page or main) for row, page in zip(rows, titles, strict=True)],
    )
    for row, page, comment in zip(rows, titles, comments, strict=True):
        yield Event(row, page, Markup(comment))  # noqa: S704
