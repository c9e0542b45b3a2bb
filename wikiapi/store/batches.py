"""Lists of ids and titles as values of IN, in batches that keep to few statement shapes."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any

from wikiapi.store.statements import chunked, padded, slot, slots

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from wikiapi.store.database import Database
    from wikiapi.store.statements import Row

Key = tuple[int, str]
"""A page's namespace and title, the latter as the database has it."""

# An API request names at most 500 pages, so it takes one query.
BATCH = 512


def fetch_in(
    db: Database,
    build: Callable[..., Any],
    values: Iterable[Any],
    *more: Any,
) -> Iterator[Row]:
    """The rows of ``build(count)`` for all of the values, ``more`` following them in each batch.

    ``build`` makes a query in which ``slots(count)`` stand for the values and come before any other
    slot. One query for each 512 values, none for none.
    """
    for batch in chunked(dict.fromkeys(values), BATCH):
        filled = padded(batch)
        yield from db.fetch(build, (len(filled),), (*filled, *more))


def fetch_keys(
    db: Database, build: Callable[[tuple[int, ...]], Any], keys: Iterable[Key]
) -> Iterator[Row]:
    """The rows of ``build(shape)`` for all of the (namespace, dbkey) pairs.

    ``build`` puts ``match_keys(namespace_field, title_field, shape)`` into a query as its only
    slots. One query for each 512 keys, none for none.
    """
    for batch in chunked(dict.fromkeys(keys), BATCH):
        groups = _by_namespace(batch)
        values: list[Any] = []
        for namespace, titles in groups.items():
            values += (namespace, *titles)
        shape = tuple(len(titles) for titles in groups.values())
        yield from db.fetch(build, (shape,), values)


def match_keys(namespace: Any, title: Any, shape: tuple[int, ...]) -> Any:
    """A condition with slots for a batch of titles: so many in a first namespace, and so on."""
    return reduce(or_, ((namespace == slot()) & title.in_(slots(count)) for count in shape))


def keys_in(namespace: Any, title: Any, keys: Iterable[Key]) -> Any:
    """A condition with values, for queries that are not compiled ahead; ``keys`` is not empty."""
    groups = _by_namespace(dict.fromkeys(keys))
    return reduce(or_, ((namespace == ns) & title.in_(titles) for ns, titles in groups.items()))


def _by_namespace(keys: Iterable[Key]) -> dict[int, tuple[str, ...]]:
    groups: dict[int, list[str]] = {}
    for namespace, title in keys:
        groups.setdefault(namespace, []).append(title)
    # Sorted by size: two pages here and one there is the same shape as one here and two there.
    ordered = sorted(groups.items(), key=lambda item: len(item[1]))
    return {namespace: padded(titles) for namespace, titles in ordered}
