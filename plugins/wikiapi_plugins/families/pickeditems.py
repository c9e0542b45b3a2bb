"""Items of which a request may want less than all: most want all that there is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from wikiapi.store.statements import Row

    Item = Callable[[Row], dict[str, Any]]


def picked(item: Item, keys: Mapping[str, Collection[str]], props: Collection[str]) -> Item:
    """What makes items with only those keys that are asked for.

    Making all of a small item in one expression and taking from it costs less than putting it
    together key by key; and where everything is asked for nothing is taken.

    Args:
        item: makes an item with all keys of a row.
        keys: the keys that each value of ``prop`` stands for, in the order of the item.
        props: the values of ``prop`` that are asked for.
    """
    if all(prop in props for prop in keys):
        return item
    wanted = [key for prop, group in keys.items() if prop in props for key in group]

    def some(row: Row) -> dict[str, Any]:
        whole = item(row)
        return {key: whole[key] for key in wanted if key in whole}

    return some
