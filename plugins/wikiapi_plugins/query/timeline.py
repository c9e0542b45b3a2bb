"""Lists in the order of time: the parameters ``start``, ``end``, ``dir`` and ``continue``.

Rows with the same timestamp are ordered by id; a continuation value is ``<timestamp>|<id>``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from wikiapi.api import Param, QueryModule, bad_continue, compact, direction, timestamp
from wikiapi.store import bounds
from wikiapi.timestamps import parse_moment


def timeline_params() -> tuple[Param, ...]:
    """Return the parameters for the period to list, and for the direction."""
    return (
        timestamp("start", "The time to begin with."),
        timestamp("end", "The time to end with."),
        direction(),
    )


@dataclass(frozen=True, slots=True)
class Timeline:
    """The columns by which a module orders its rows: a timestamp and an id."""

    moment: Any
    number: Any

    def conditions(self, module: QueryModule) -> list[Any]:
        """Return the conditions for ``start``, ``end`` and ``continue`` of a request.

        Raises:
            ApiError: ``badcontinue``.
        """
        descending = is_descending(module)
        ends = (module.p.text_or_none("start"), module.p.text_or_none("end"))
        conditions = bounds.between(self.moment, *ends, descending=descending)
        if parts := module.continue_parts(2):
            columns = [self.moment, self.number]
            values = [moment_part(parts[0]), module.continue_int(parts[1])]
            conditions.append(bounds.starting_at(columns, values, descending=descending))
        return conditions

    def ordered(self, query: Any, module: QueryModule) -> Any:
        """Return a query in the requested order of time."""
        return bounds.ordered(query, self.moment, self.number, descending=is_descending(module))


def is_descending(module: QueryModule) -> bool:
    """Return whether the module lists from new to old."""
    return module.p.text("dir") != "newer"


def moment_part(part: str) -> str:
    """Return the 14 digits of a timestamp in a continuation value.

    It may have any form that a timestamp parameter may have.

    Raises:
        ApiError: ``badcontinue``.
    """
    if len(part) == 14 and part.isascii() and part.isdigit():
        return part
    moment = parse_moment(part)
    if moment is None or len(part) > 40:
        raise bad_continue()
    return compact(moment)
