"""Checks of continuation: no item is lost or repeated, whatever the limit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from wikiapi.api.module import Module
from wikiapi.api.query.module import GENERATOR_PREFIX, QueryModule
from wikiapi.site import Site
from wikiapi.testing.asking import ask
from wikiapi.testing.conformance.requests import (
    MAX_STEPS,
    Params,
    has_limit,
    items_of,
    lists_in_parts,
    over_pages,
    with_limit,
)


def walks_are_complete(site: Site, modules: Iterable[type[Module]]) -> Iterator[str]:
    """Check that continuing with ``limit=1`` gives the same items as ``limit=max``."""
    modules = list(modules)
    more = ((module, params) for module, params in over_pages(site, modules) if has_limit(module))
    for module, params in chain(lists_in_parts(modules), more):
        if module.walks_exactly and (fault := walk_fault(site, module, params)):
            yield fault


def walk_fault(site: Site, module: type[QueryModule], params: Params) -> str:
    """Return how continuing with ``limit=1`` differs from ``limit=max``, or ""."""
    whole = items_of(module, ask(site, with_limit(module, params, "max")).data)
    walked = _walk(site, module, with_limit(module, params, 1))
    if isinstance(walked, str):
        return f"{module.name}: a walk of {params} {walked}"
    if sorted(map(str, walked)) != sorted(map(str, whole)):
        return f"{module.name}: a walk of {params} gives {len(walked)} of {len(whole)} items"
    return ""


def generators_agree(site: Site, modules: Iterable[type[Module]]) -> Iterator[str]:
    """Check that a list, used as a generator, gives exactly the pages that it lists."""
    for module, params in lists_in_parts(modules):
        if module.group != "list" or not module.can_generate() or not module.walks_exactly:
            continue
        listed = ask(site, with_limit(module, params, "max")).data
        titles = {item["title"] for item in items_of(module, listed) if _is_page(item)}
        pages = ask(site, _as_generator(module, params)).data.get("query", {}).get("pages", [])
        generated = {page["title"] for page in pages if "title" in page}
        if titles - generated:
            yield f"{module.name}: the generator of {params} does not give all that is listed"
        if titles and generated - titles:
            yield f"{module.name}: the generator of {params} gives what is not listed"


def _is_page(item: Any) -> bool:
    return isinstance(item, dict) and "title" in item and "pageid" in item


def _as_generator(module: type[QueryModule], params: Params) -> Params:
    others = {name: value for name, value in params.items() if name != module.group}
    renamed = {
        (GENERATOR_PREFIX + name if _belongs(module, name) else name): value
        for name, value in others.items()
    }
    limit = {f"{GENERATOR_PREFIX}{module.prefix}limit": "max"} if has_limit(module) else {}
    return renamed | limit | {"generator": module.name}


def _belongs(module: type[QueryModule], name: str) -> bool:
    return any(module.prefix + param.name == name for param in module.params)


def _walk(site: Site, module: type[QueryModule], params: Params) -> list[Any] | str:
    """Return all items of a continued query, or a description of the error."""
    walked: list[Any] = []
    position: dict[str, str] = {}
    for _ in range(MAX_STEPS):
        reply = ask(site, params | position)
        if reply.codes and position:
            return f"is refused at {position} with {reply.codes}"
        answer = reply.data
        walked += items_of(module, answer)
        if "continue" not in answer:
            return walked
        following = {name: str(value) for name, value in answer["continue"].items()}
        if following == position:
            return f"stays at {position}"
        position = following
    return "does not end"


POSITIONS = (
    "x' OR 1=1--",
    "||||||||",
    "99999999999999999999|99999999999999999999",
    "-1|-1|-1",
    "1_0|\u0665",
    "1\n|2",
    "%|_|\\",
    "\x00|\ufffd",
    "20240101000000|" + "9" * 500,
)


def hostile_positions_are_harmless(site: Site, modules: Iterable[type[Module]]) -> Iterator[str]:
    """Check that an invalid value of ``continue`` never raises an unexpected exception."""
    for module, params in lists_in_parts(modules):
        if all(param.name != "continue" for param in module.params):
            continue
        for position in POSITIONS:
            try:
                ask(site, params | {f"{module.prefix}continue": position, "continue": "-||"})
            except Exception as error:
                yield f"{module.name}: {position!r} raises {error!r}"
