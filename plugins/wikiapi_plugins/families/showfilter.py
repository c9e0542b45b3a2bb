"""The parameter ``show``: values of which some exclude each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.errors import ApiError
from wikiapi.i18n.message import Message

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable


def refuse_contradictions(shown: Collection[str], more: Iterable[tuple[str, str]] = ()) -> None:
    """Refuse a value beside its opposite, written with ``!``, and ``more`` pairs.

    Raises:
        ApiError: ``show``.
    """
    opposites = ((value, f"!{value}") for value in shown)
    for one, other in (*opposites, *more):
        if one in shown and other in shown:
            raise ApiError(Message("apierror-show"), "show")
