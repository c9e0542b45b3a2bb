"""The requests that checks send, from the examples of modules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import parse_qsl

from wikiapi.api.module import Module
from wikiapi.api.params.types import LimitType
from wikiapi.api.query.module import ListModule, PropModule, QueryModule
from wikiapi.site import Site
from wikiapi.store.models import Page

Params = dict[str, str]

MAX_PAGES = 10
PAGES = frozenset({"titles", "pageids", "revids", "redirects"})
"""The parameters that select the pages of a query."""
MAX_STEPS = 200
"""The number of requests after which a continued query counts as endless."""


def examples_of(modules: Iterable[type[Module]]) -> Iterator[tuple[type[Module], Params]]:
    """Yield the parameters of each example, with its module."""
    for module in modules:
        for query, _ in module.examples:
            yield module, dict(parse_qsl(query, keep_blank_values=True))


def lists_in_parts(
    modules: Iterable[type[Module]],
) -> Iterator[tuple[type[QueryModule], Params]]:
    """Yield each example of a module with a limit, if it is a query of just that module."""
    for module, params in examples_of(modules):
        if not issubclass(module, ListModule | PropModule) or not has_limit(module):
            continue
        if params.get(module.group) == module.name:
            yield module, params


def over_pages(
    site: Site, modules: Iterable[type[Module]]
) -> Iterator[tuple[type[QueryModule], Params]]:
    """Yield the examples of property modules, changed to request several pages of the site.

    Many examples request a single page, which hides errors that occur between pages.
    """
    query = Page.select(Page.page_id).order_by(Page.page_id).limit(MAX_PAGES)
    ids = "|".join(str(page_id) for (page_id,) in site.db.execute(query))
    for module, params in examples_of(modules):
        if issubclass(module, PropModule) and params.get("prop") == module.name and ids:
            others = {name: value for name, value in params.items() if name not in PAGES}
            if "generator" not in params:
                yield module, others | {"pageids": ids}


def has_limit(module: type[Module]) -> bool:
    """Return whether a module has a parameter ``limit``."""
    return any(p.name == "limit" and isinstance(p.type, LimitType) for p in module.params)


def with_limit(module: type[Module], params: Params, limit: int | str) -> Params:
    """Return the parameters with another limit."""
    return params | {f"{module.prefix}limit": str(limit)}


def items_of(module: type[QueryModule], answer: Any) -> list[Any]:
    """Return the items of a module in an answer in formatversion 2."""
    query = answer.get("query", {})
    if module.group == "list":
        parts: list[Any] = []
        # Some items contain a list of objects, which are the items then.
        for entry in _list(query.get(module.name, [])):
            values = entry.values() if isinstance(entry, dict) else ()
            parts += next((inner for inner in values if _is_list_of_objects(inner)), [entry])
        return parts
    return [
        (page.get("title"), str(item))
        for page in query.get("pages", [])
        for item in _list(page.get(module.name, []))
    ]


def _is_list_of_objects(value: Any) -> bool:
    # An object without properties is an empty list.
    return isinstance(value, list) and bool(value) and (isinstance(value[0], dict) or not value[0])


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
