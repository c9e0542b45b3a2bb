"""Lists in the order of titles: the parameters ``from``, ``to`` and ``prefix``."""

from __future__ import annotations

from typing import Any

from wikiapi.api import QueryModule, invalid_title
from wikiapi.site import Site
from wikiapi.store import bounds

# Unlike a title, a part of one may be empty or end in a space; an appended letter makes it a title.
_ENDING = "x"


def title_part(site: Site, text: str, namespace: int) -> str:
    """Return the beginning of database keys in a namespace for which a text stands.

    Raises:
        ApiError: ``invalidtitle``; no title of the namespace can begin with it.
    """
    prefix = site.titles.namespace(namespace).prefix
    title = site.titles.try_parse(f"{prefix}{text}{_ENDING}")
    if title is None or title.interwiki or title.fragment or title.ns != namespace:
        raise invalid_title(text)
    # Cut by length, because the appended letter has become a capital if nothing precedes it.
    return title.dbkey[: -len(_ENDING)]


def title_parts(module: QueryModule, namespace: int) -> tuple[str | None, str | None, str | None]:
    """Return ``from``, ``to`` and ``prefix`` as beginnings of database keys in a namespace.

    Raises:
        ApiError: ``invalidtitle``.
    """
    start, end, prefix = (
        title_part(module.site, module.p.text(name), namespace) if module.p.is_given(name) else None
        for name in ("from", "to", "prefix")
    )
    return start, end, prefix


def title_conditions(
    module: QueryModule, column: Any, namespace: int, *, descending: bool
) -> list[Any]:
    """Return the conditions of ``from``, ``to`` and ``prefix`` on a column of database keys.

    Raises:
        ApiError: ``invalidtitle``.
    """
    start, end, prefix = title_parts(module, namespace)
    conditions = bounds.between(column, start, end, descending=descending)
    return conditions + bounds.with_prefix(column, prefix or "")
