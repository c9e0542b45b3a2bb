"""The user and the summary of a change, in the items of lists of changes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import repeat
from typing import Any

from wikiapi.api.request import User
from wikiapi.site import Site
from wikiapi.store.queries.visibility import ACTION, COMMENT, RESTRICTED, USER, shown
from wikiapi.title import Title
from wikiapi.wikitext import format_comments


def user_data(
    props: Collection[str],
    bits: int,
    user_id: int | None,
    name: str | None,
    *,
    id_last: bool = False,
) -> Mapping[str, Any]:
    """Return the values of ``user`` and ``userid``, as far as they are among ``props``.

    ``bits`` say whether the user is hidden; ``user_id`` is 0 for a user without account. MediaWiki
    puts the id before ``anon`` in items of changes, and last (``id_last``) in those of revisions.
    """
    if "user" not in props and "userid" not in props:
        return {}
    if bits & USER:
        return {"userhidden": True}
    data: dict[str, Any] = {}
    if "user" in props:
        data["user"] = name
    shown_id = {"userid": user_id} if "userid" in props else {}
    anon = {} if user_id else {"anon": True}
    return data | anon | shown_id if id_last else data | shown_id | anon


def comment_data(
    props: Collection[str], bits: int, comment: str | None, html: str
) -> Mapping[str, Any]:
    """Return the values of ``comment`` and ``parsedcomment``, as far as they are among ``props``.

    ``bits`` say whether the summary is hidden; ``html`` is its rendering.
    """
    if "comment" not in props and "parsedcomment" not in props:
        return {}
    if bits & COMMENT:
        return {"commenthidden": True}
    data: dict[str, Any] = {}
    if "comment" in props:
        data["comment"] = comment or ""
    if "parsedcomment" in props:
        data["parsedcomment"] = html
    return data


def seen_notes(props: Collection[str], bits: int) -> Iterator[tuple[str, bool]]:
    """Yield notes that a user or a summary is hidden which the reader may see."""
    if bits & USER and ("user" in props or "userid" in props):
        yield "userhidden", True
    if bits & COMMENT and ("comment" in props or "parsedcomment" in props):
        yield "commenthidden", True


def seen_of_entries(user: User) -> int:
    """Return the bits of the hidden parts of log entries and changes that a user may see."""
    bits = ACTION | COMMENT | USER if user.can("deletedhistory") else 0
    return bits | (RESTRICTED if user.can("suppressrevision", "viewsuppressed") else 0)


def shown_to(user: User, column: Any, what: int) -> list[Any]:
    """Return conditions: the user may see the part ``what`` of a row with bits in the column."""
    if not user.can("deletedhistory"):
        return [shown(column, what)]
    if not user.can("suppressrevision", "viewsuppressed"):
        return [column.bin_and(what | RESTRICTED) != (what | RESTRICTED)]
    return []


def parsed_comments(
    site: Site, props: Collection[str], comments: Iterable[tuple[str | None, Title | None]]
) -> Iterator[str]:
    """Return the HTML of each summary, given with its page, if ``parsedcomment`` is in ``props``.

    All are parsed together, so that the pages they link to take one query. A hidden summary is
    None. The HTML of a summary that is not shown is empty.
    """
    if "parsedcomment" not in props:
        return repeat("")
    comments = list(comments)
    visible = [(text, page) for text, page in comments if text is not None]
    html = iter(format_comments(site.parser, visible))
    return iter(["" if text is None else next(html) for text, _ in comments])
