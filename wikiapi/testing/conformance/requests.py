"""The requests that checks send: modules' own examples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import parse_qsl

from wikiapi.api.module import Module
from wikiapi.api.params.types.integer import LimitType
from wikiapi.api.query.module import ListModule, PropModule, QueryModule
from wikiapi.site import Site
from wikiapi.store.models import Page

Params = dict[str, str]

MOST_PAGES = 10
PAGES = frozenset({"titles", "pageids", "revids", "redirects"})
"""The parameters that say which pages a query is about."""
MOST_STEPS = 200
"""Steps of a walk after which it counts as endless."""


def examples_of(modules: Iterable[type[Module]]) -> Iterator[tuple[type[Module], Params]]:
    """Yield each module with each of its examples, as parameters."""
    for module in modules:
        for query, _ in module.examples:
            yield module, dict(parse_qsl(query, keep_blank_values=True))


def lists_in_parts(
    modules: Iterable[type[Module]],
) -> Iterator[tuple[type[QueryModule], Params]]:
    """Yield each module that returns its items in parts, with its examples that use it by name."""
    for module, params in examples_of(modules):
        if not issubclass(module, ListModule | PropModule) or not has_limit(module):
            continue
        if params.get(module.group) == module.name:
            yield module, params


def over_pages(
    site: Site, modules: Iterable[type[Module]]
) -> Iterator[tuple[type[QueryModule], Params]]:
    """Yield each module about pages with a request for several pages of the site.

    An example often names a single page, which hides what goes wrong from one page to the next.
    """
    query = Page.select(Page.page_id).order_by(Page.page_id).limit(MOST_PAGES)
    ids = "|".join(str(page_id) for (page_id,) in site.db.execute(query))
    for module, params in examples_of(modules):
        if issubclass(module, PropModule) and params.get("prop") == module.name and ids:
            others = {name: value for name, value in params.items() if name not in PAGES}
            if "generator" not in params:
                yield module, others | {"pageids": ids}


def has_limit(module: type[Module]) -> bool:
    """Return whether the module has a parameter ``limit``."""
    return any(p.name == "limit" and isinstance(p.type, LimitType) for p in module.params)


def with_limit(module: type[Module], params: Params, limit: int | str) -> Params:
    """Return a request for so many items, from the beginning."""
    return params | {f"{module.prefix}limit": str(limit)}


def items_of(module: type[QueryModule], answer: Any) -> list[Any]:
    """Return a module's items in an answer of formatversion 2, page by page."""
    query = answer.get("query", {})
    if module.group == "list":
        return _parts(query.get(module.name, []))
    return [
        (page.get("title"), str(item))
        for page in query.get("pages", [])
        for item in _list(page.get(module.name, []))
    ]


def _parts(found: Any) -> list[Any]:
    """Return the items of a list; of a list of pages with lists of their own, each of those."""
    parts: list[Any] = []
    for item in _list(found):
        values = item.values() if isinstance(item, dict) else ()
        parts += next((value for value in values if _is_list_of_objects(value)), [item])
    return parts


def _is_list_of_objects(value: Any) -> bool:
    # An object without anything is an empty list.
    return isinstance(value, list) and bool(value) and (isinstance(value[0], dict) or not value[0])


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
