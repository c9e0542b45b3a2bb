"""Marks of patrolling, which only those may see who patrol."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.errors import ApiError
from wikiapi.i18n.message import Message

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wikiapi.api.context import RequestContext

_MARKS = frozenset({"patrolled", "!patrolled", "autopatrolled", "!autopatrolled", "unpatrolled"})
UNPATROLLED, PATROLLED, AUTOPATROLLED = range(3)


def refuse_marks(context: RequestContext, *asked: Iterable[str] | None) -> None:
    """Refuse to tell or filter by the marks, unless the user may see them.

    Raises:
        ApiError: ``permissiondenied``.
    """
    wanted = {value for values in asked for value in values or ()}
    if wanted.isdisjoint(_MARKS) or context.user.can("patrol", "patrolmarks"):
        return
    raise ApiError(Message("apierror-permissiondenied-patrolflag"), "permissiondenied")


def refuse_both_sides(show: Iterable[str] | None, *more: tuple[str, str]) -> None:
    """Refuse a filter that asks for something and its opposite.

    Raises:
        ApiError: ``show``.
    """
    wanted = set(show or ())
    opposed = any(f"!{value}" in wanted for value in wanted)
    if opposed or any(wanted.issuperset(pair) for pair in more):
        raise ApiError(Message("apierror-show"), "show")
