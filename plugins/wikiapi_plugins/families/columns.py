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


def items_of(count: int, columns: Iterable[Column]) -> list[dict[str, Any]]:
    """So many items with what the columns tell in their order; ``None`` is left out.

    A column without any values is left out of all items.
    """
    items: list[dict[str, Any]] = [{} for _ in range(count)]
    for name, values in columns:
        for item, value in zip(items, values, strict=False):
            if value is not None:
                item[name] = value
    return items


def hidden(bits: Sequence[int], what: int) -> Sequence[bool | None]:
    """Values that say of which rows something is hidden, by the visibility bits of all rows."""
    return [True if own & what else None for own in bits] if any(bits) else ()


def tag_lists(db: Database, revision_ids: Sequence[int]) -> list[Arr]:
    """The tags of revisions."""
    found = tags.of_revisions(db, revision_ids)
    return [Arr(found.get(number, ()), "tag") for number in revision_ids]


def flags(values: Iterable[int]) -> Iterable[bool]:
    """The truth of numbers."""
    return [value != 0 for value in values]
