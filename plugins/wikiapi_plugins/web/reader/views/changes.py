"""Lists of edits of several pages: recent changes, a user's contributions, and new pages.

They are read from the table of revisions, since a store that was imported from a dump has no recent
changes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from wikiapi.http import Reply
from wikiapi.store.models import Actor, Page, Revision
from wikiapi.store.queries import revisions
from wikiapi.store.queries.visibility import USER as USER_BIT
from wikiapi.store.queries.visibility import shown
from wikiapi.store.sql.bounds import ordered, starting_at
from wikiapi.title import USER, Title
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
    conditions = [(Actor.actor_name == user) & shown(Revision.rev_deleted, USER_BIT)]
    return _list(
        context,
        context.text("contributions-of", context.plain(user)),
        f"Contributions/{user.replace(' ', '_')}",
        conditions,
        feeds=[contributions_link(context, user)],
        user=user,
    )


def _list(
    context: ViewContext,
    heading: str,
    special: str,
    conditions: Sequence[Any] = (),
    *,
    query: dict[str, str | int] | None = None,
    feeds: Sequence[FeedLink] = (),
    user: str = "",
) -> Reply:
    """Show the edits that meet conditions, from the position in ``from`` on.

    ``user`` is the author, if the list is of one user's edits.
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
        select = select.where(starting_at(columns, place, descending=True))
    rows = context.db.execute(ordered(select, *columns, descending=True).limit(_MAX_CHANGES + 1))
    edits = map(revisions.read, rows)
    found = [(edit, context.site.titles.make(edit.namespace, edit.title)) for edit in edits]
    older = found[_MAX_CHANGES][0] if found[_MAX_CHANGES:] else None
    listed = found[:_MAX_CHANGES]
    kept = query or {}
    following = {**kept, "from": f"{older.timestamp}.{older.rev_id}"} if older else {}
    return context.render(
        "contributions.html" if user else "recentchanges.html",
        heading,
        user=user,
        feeds=feeds,
        people=[*(edit.user_name for edit, _ in listed), user],
        entries=list(
            zip(revision_entries(context, listed), (title for _, title in listed), strict=True)
        ),
        first=context.special(special, **kept) if position else "",
        following=context.special(special, **following) if following else "",
    )
