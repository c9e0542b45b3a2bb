"""Items of long lists, made column by column rather than row by row.

What is asked for is then looked at once for all rows, and hardly a step is taken for each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikiapi.api.result import Arr
from wikiapi.store import tags

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from wikiapi.store.database import Database

    Column = tuple[str, Iterable[Any]]
    """A name, and the value that each item has under it."""

NOWHERE: tuple[None, ...] = ()
"""The values of a column that is left out of all items."""


def items_of(count: int, columns: Iterable[Column]) -> list[dict[str, Any]]:
    """So many items with what the columns tell in their order; ``None`` is left out."""
    told = [column for column in columns if column[1] is not NOWHERE]
    empty = dict.fromkeys(name for name, _ in told)
    # A copy has room for all that will be in it.
    items: list[dict[str, Any]] = [empty.copy() for _ in range(count)]
    for name, values in told:
        for item, value in zip(items, values, strict=True):
            if value is not None:
                item[name] = value
            else:
                del item[name]
    return items


def hidden(bits: Sequence[int], what: int) -> Sequence[bool | None]:
    """Values that say of which rows something is hidden, by the visibility bits of all rows."""
    return [True if own & what else None for own in bits] if any(bits) else NOWHERE


def tag_lists(db: Database, revision_ids: Sequence[int]) -> list[Arr]:
    """The tags of revisions."""
    found = tags.of_revisions(db, revision_ids)
    return [Arr(found.get(number, ()), "tag") for number in revision_ids]


def flags(values: Iterable[int]) -> Iterable[bool]:
    """The truth of numbers."""
    return [value != 0 for value in values]
