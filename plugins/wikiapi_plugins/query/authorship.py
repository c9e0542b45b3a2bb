"""The user and the summary of a change, in the items of lists of changes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import repeat
from types import MappingProxyType
from typing import Any

from wikiapi.accounts import User
from wikiapi.api import RequestContext
from wikiapi.store.models import Logging
from wikiapi.store.queries import visibility
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
    """Return ``user`` and ``userid``, as far as ``props`` requests them.

    ``bits`` tells whether the user is hidden; ``user_id`` is 0 for a user without an account.
    MediaWiki puts the id before ``anon`` in items of changes, and last (``id_last``) in those of
    revisions.
    """
    if "user" not in props and "userid" not in props:
        return {}
    if bits & visibility.USER:
        return {"userhidden": True}
    data: dict[str, Any] = {}
    if "user" in props:
        data["user"] = name
    account = {"userid": user_id} if "userid" in props else {}
    anon = {} if user_id else {"anon": True}
    return data | anon | account if id_last else data | account | anon


def comment_data(
    props: Collection[str], bits: int, comment: str | None, html: str
) -> Mapping[str, Any]:
    """Return ``comment`` and ``parsedcomment``, as far as ``props`` requests them.

    ``bits`` tells whether the summary is hidden; ``html`` is the rendered summary.
    """
    if "comment" not in props and "parsedcomment" not in props:
        return {}
    if bits & visibility.COMMENT:
        return {"commenthidden": True}
    data: dict[str, Any] = {}
    if "comment" in props:
        data["comment"] = comment or ""
    if "parsedcomment" in props:
        data["parsedcomment"] = html
    return data


def hidden_flags(props: Collection[str], bits: int) -> Iterator[tuple[str, bool]]:
    """Yield the flags of a hidden user or summary that the reader may see nevertheless."""
    if bits & visibility.USER and ("user" in props or "userid" in props):
        yield "userhidden", True
    if bits & visibility.COMMENT and ("comment" in props or "parsedcomment" in props):
        yield "commenthidden", True


_HIDDEN_FLAGS = frozenset(
    {"actionhidden", "userhidden", "commenthidden", "sha1hidden", "texthidden"}
)


def suppressed_flag(bits: int, item: Mapping[str, Any]) -> Mapping[str, bool]:
    """Return the flag of an item some of whose hidden parts are suppressed; else nothing.

    ``bits`` are the visibility bits of its row, and ``item`` all its other data.
    """
    if bits & visibility.RESTRICTED and not _HIDDEN_FLAGS.isdisjoint(item):
        return {"suppressed": True}
    return {}


RESTRICTED_LOGS: Mapping[str, str] = MappingProxyType({"suppress": "suppressionlog"})
"""The logs that require a right to be seen, with that right."""


def logs_visible_to(user: User) -> list[Any]:
    """Return the condition that an entry is not of a log that a user may not see."""
    closed = [log for log, right in RESTRICTED_LOGS.items() if not user.can(right)]
    return [Logging.log_type.not_in(closed)] if closed else []


def readable_entry_bits(user: User) -> int:
    """Return the bits of those hidden parts of log entries and changes that a user may see."""
    bits = (
        visibility.ACTION | visibility.COMMENT | visibility.USER
        if user.can("deletedhistory")
        else 0
    )
    return bits | (visibility.RESTRICTED if user.can("suppressrevision", "viewsuppressed") else 0)


def readable_revision_bits(user: User) -> int:
    """Return the bits of those hidden parts of revisions that a user may see."""
    bits = visibility.TEXT if user.can("deletedtext") else 0
    if user.can("deletedhistory"):
        bits |= visibility.COMMENT | visibility.USER
    return bits | (visibility.RESTRICTED if user.can("suppressrevision", "viewsuppressed") else 0)


def visible_to(user: User, column: Any, what: int) -> list[Any]:
    """Return the conditions under which a user may see the part ``what`` of a row.

    ``column`` holds the visibility bits of the row.
    """
    if not user.can("deletedhistory"):
        return [visibility.not_hidden(column, what)]
    if not user.can("suppressrevision", "viewsuppressed"):
        return [column.bin_and(what | visibility.RESTRICTED) != (what | visibility.RESTRICTED)]
    return []


def users_visible_to(user: User, user_id: Any) -> list[Any]:
    """Return the conditions under which a user may see the account of a row.

    ``user_id`` is the column with the account. The condition uses the blocks that hide names, for
    rows that have no visibility bits, and for those of dumps, which lack them.
    """
    if user.can("hideuser", "suppressrevision", "viewsuppressed"):
        return []
    return [visibility.user_is_not_hidden(user_id)]


def parsed_comments(
    context: RequestContext,
    props: Collection[str],
    comments: Iterable[tuple[str | None, Title | None]],
) -> Iterator[str]:
    """Return the HTML of each summary, or empty strings if ``props`` has no ``parsedcomment``.

    ``comments`` holds each summary with its page; a hidden summary is None, and its HTML is empty.
    All are parsed together, so that looking up the pages they link to takes one query.
    """
    if "parsedcomment" not in props:
        return repeat("")
    comments = list(comments)
    visible = [(text, page) for text, page in comments if text is not None]
    parser, language = context.site.parser, context.language
    html = iter(format_comments(parser, visible, language=language))
    return iter(["" if text is None else next(html) for text, _ in comments])
