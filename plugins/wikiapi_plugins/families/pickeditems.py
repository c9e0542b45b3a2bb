"""Items of which a request may want less than all: most want all that there is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    Items = list[dict[str, Any]]


def picked(items: Items, keys: Mapping[str, Collection[str]], props: Collection[str]) -> Items:
    """The items with only those of their keys that are asked for.

    Making all of small items in one expression and taking from them costs less than putting them
    together key by key; and where everything is asked for nothing is taken.

    Args:
        items: with all keys, though some may have less.
        keys: the keys that each value of ``prop`` stands for, in the order of the items.
        props: the values of ``prop`` that are asked for.
    """
    if all(prop in props for prop in keys):
        return items
    wanted = [key for prop, group in keys.items() if prop in props for key in group]
    return [{key: item[key] for key in wanted if key in item} for item in items]
