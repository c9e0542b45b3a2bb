"""Checks of continuation: no item is lost or repeated, whatever the limit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from wikiapi.api import dispatch
from wikiapi.api.module import Module
from wikiapi.api.query.module import GENERATOR_PREFIX, QueryModule
from wikiapi.api.request import ApiRequest
from wikiapi.errors import ApiError, ApiErrors
from wikiapi.site import Site
from wikiapi.testing.asking import Answer, ask, make_context
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
    """Check that continuing with ``limit=1`` gives the same items as ``limit=max``.

    The order of lists must be the same as well.
    """
    for module, params in _walks(site, modules):
        if module.walks_exactly and (fault := walk_fault(site, module, params)):
            yield fault


def small_answers_are_continued(site: Site, modules: Iterable[type[Module]]) -> Iterator[str]:
    """Check that answers with room for one item give the same items as one large answer."""
    for module, params in _walks(site, modules):
        whole = items_of(module, ask(site, with_limit(module, params, "max")).data)
        if not module.walks_exactly or len(whole) < 2:
            continue
        # The items of pages are pairs of a title, which takes no room, and a text.
        texts = whole if module.group == "list" else [item[1] for item in whole]
        room = max(len(str(text)) for text in texts)
        walked = _walk(site, module, with_limit(module, params, "max"), room)
        if isinstance(walked, str):
            yield f"{module.name}: a walk of {params} by {room} bytes {walked}"
        elif sorted(map(str, walked)) != sorted(map(str, whole)):
            yield f"{module.name}: a walk of {params} by {room} bytes gives other items"


def _walks(
    site: Site, modules: Iterable[type[Module]]
) -> Iterator[tuple[type[QueryModule], Params]]:
    """Yield the examples with a limit, also over several pages of the site."""
    modules = list(modules)
    more = ((module, params) for module, params in over_pages(site, modules) if has_limit(module))
    return chain(lists_in_parts(modules), more)


def walk_fault(site: Site, module: type[QueryModule], params: Params) -> str:
    """Return how continuing with ``limit=1`` differs from ``limit=max``, or ""."""
    whole = items_of(module, ask(site, with_limit(module, params, "max")).data)
    if len(first := items_of(module, ask(site, with_limit(module, params, 1)).data)) > 1:
        return f"{module.name}: {params} gives {len(first)} items with limit=1"
    walked = _walk(site, module, with_limit(module, params, 1))
    if isinstance(walked, str):
        return f"{module.name}: a walk of {params} {walked}"
    if sorted(map(str, walked)) != sorted(map(str, whole)):
        return f"{module.name}: a walk of {params} gives {len(walked)} of {len(whole)} items"
    if module.group == "list" and walked != whole:
        return f"{module.name}: a walk of {params} gives the items in another order"
    return ""


def generators_agree(site: Site, modules: Iterable[type[Module]]) -> Iterator[str]:
    """Check that a list, used as a generator, gives exactly the pages that it lists."""
    for module, params in lists_in_parts(modules):
        if module.group != "list" or not module.can_generate() or not module.walks_exactly:
            continue
        listed = ask(site, with_limit(module, params, "max")).data
        titles = {
            item["title"]
            for item in items_of(module, listed)
            if isinstance(item, dict) and "title" in item and "pageid" in item
        }
        pages = ask(site, _as_generator(module, params)).data.get("query", {}).get("pages", [])
        generated = {page["title"] for page in pages if "title" in page}
        if titles - generated:
            yield f"{module.name}: the generator of {params} does not give all that is listed"
        if titles and generated - titles:
            yield f"{module.name}: the generator of {params} gives what is not listed"


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


def _walk(
    site: Site, module: type[QueryModule], params: Params, room: int | None = None
) -> list[Any] | str:
    """Return all items of a continued query, or a description of the error.

    ``room`` is the largest size of an answer in bytes, by default that of the site.
    """
    walked: list[Any] = []
    position: dict[str, str] = {}
    for _ in range(MAX_STEPS):
        reply = _limited(site, params | position, room)
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


def _limited(site: Site, params: Params, room: int | None) -> Answer:
    """Return an answer of a limited size."""
    if room is None:
        return ask(site, params)
    context = make_context(site, ApiRequest(params=params))
    context.result.limit = room
    try:
        dispatch.perform(context)
    except (ApiError, ApiErrors) as error:
        return Answer(context, dispatch.fail(context, error))
    return Answer(context)


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


NO_NUMBERS = ("x' OR 1=1--", "", "1_0", "\u0665", "0x1", "1\n", "9" * 5001)


def malformed_positions_are_refused(site: Site, modules: Iterable[type[Module]]) -> Iterator[str]:
    """Check that a position leads nowhere if a number of it is none, or with a part more or less.

    The positions are those of the site, so its titles should be no numbers.
    """
    for module, params in _walks(site, modules):
        name = f"{module.prefix}continue"
        answer = ask(site, with_limit(module, params, 1))
        position = str(answer.data.get("continue", {}).get(name, ""))
        for malformed in _malformed(position):
            reply = ask(site, params | {name: malformed})
            if not reply.codes and any(items_of(module, reply.data)):
                yield f"{module.name}: {params} accepts {malformed[:50]!r} for {position!r}"
            elif reply.codes not in ("", "badcontinue", "badinteger"):
                yield f"{module.name}: {params} refuses {malformed[:50]!r} with {reply.codes}"


def _malformed(position: str) -> Iterator[str]:
    parts = position.split("|")
    if len(parts) > 1:
        yield "|".join(parts[:-1])
        yield "|".join((*parts, "1"))
    for number in (number for number, part in enumerate(parts) if part.isdigit()):
        for other in NO_NUMBERS:
            yield "|".join((*parts[:number], other, *parts[number + 1 :]))
