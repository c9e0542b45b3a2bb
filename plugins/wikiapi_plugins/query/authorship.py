"""Who did something and what they said about it, in the items of lists of changes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import repeat
from typing import Any

from wikiapi.site import Site
from wikiapi.store.visibility import COMMENT, USER
from wikiapi.title import Title
from wikiapi.wikitext import format_comments


def user_data(
    props: Collection[str], bits: int, user_id: int | None, name: str | None
) -> Mapping[str, Any]:
    """Return what ``user`` and ``userid`` among ``props`` ask for.

    ``bits`` say whether the user is hidden; ``user_id`` is 0 for a user without account.
    """
    if "user" not in props and "userid" not in props:
        return {}
    if bits & USER:
        return {"userhidden": True}
    data: dict[str, Any] = {}
    if "user" in props:
        data["user"] = name
    if "userid" in props:
        data["userid"] = user_id
    if not user_id:
        data["anon"] = True
    return data


def comment_data(
    props: Collection[str], bits: int, comment: str | None, html: str
) -> Mapping[str, Any]:
    """Return what ``comment`` and ``parsedcomment`` among ``props`` ask for.

    ``bits`` say whether the summary is hidden; ``html`` is what it looks like.
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


def parsed_comments(
    site: Site, props: Collection[str], comments: Iterable[tuple[str | None, Title | None]]
) -> Iterator[str]:
    """Return the HTML of each summary, given with its page, if ``parsedcomment`` asks for it.

    All are parsed together, so that the pages they link to take one query. A hidden summary is
    None. Of what is not shown the HTML is empty.
    """
    if "parsedcomment" not in props:
        return repeat("")
    comments = list(comments)
    shown = [(text, page) for text, page in comments if text is not None]
    html = iter(format_comments(site, shown))
    return iter(["" if text is None else next(html) for text, _ in comments])
