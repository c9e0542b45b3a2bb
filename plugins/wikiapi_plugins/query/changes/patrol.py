"""The marks of patrolled changes, which only users who may patrol can see."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from wikiapi.api import QueryModule
from wikiapi.errors import ApiError

UNPATROLLED, PATROLLED, AUTOPATROLLED = range(3)
FLAGS = frozenset({"patrolled", "!patrolled", "unpatrolled", "autopatrolled", "!autopatrolled"})
"""Values of ``show`` for the marks."""


def require_patrol(module: QueryModule) -> None:
    """Raise an error if the user may not see the marks.

    Raises:
        ApiError: ``permissiondenied``.
    """
    if not module.context.user.can("patrol", "patrolmarks"):
        raise ApiError("permissiondenied", "apierror-permissiondenied-patrolflag")


def marked(column: Any, shown: Iterable[str]) -> list[Any]:
    """Return the conditions of values of ``show`` on the column of marks."""
    conditions = {
        "patrolled": column != UNPATROLLED,
        "!patrolled": column == UNPATROLLED,
        "unpatrolled": column == UNPATROLLED,
        "autopatrolled": column == AUTOPATROLLED,
        "!autopatrolled": column != AUTOPATROLLED,
    }
    return [conditions[name] for name in shown if name in conditions]
