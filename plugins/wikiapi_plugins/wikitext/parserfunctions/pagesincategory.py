"""``{{PAGESINCATEGORY:name|kind|R}}`` and ``{{NUMBERINGROUP:group}}``: numbers of members."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from wikiapi.store import CategoryRow
from wikiapi.title import CATEGORY
from wikiapi.wikitext import FunctionCall, ParserFunction
from wikiapi_plugins.wikitext.variables.statistics import RAW, count_in_group, shown

_KINDS: Mapping[str, Callable[[CategoryRow], int]] = MappingProxyType(
    {
        "all": lambda row: row.pages,
        "pages": lambda row: row.pages - row.subcats - row.files,
        "subcats": lambda row: row.subcats,
        "files": lambda row: row.files,
    }
)


def pagesincategory(call: FunctionCall) -> str:
    """Return the number of members of a category, by default of all kinds.

    The kind and the option ``R`` may be given in either order.
    """
    options = (call.arg(1), call.arg(2))
    kind = next((word for option in options if (word := option.lower()) in _KINDS), "all")
    row = _row(call)
    count = max(_KINDS[kind](row), 0) if row else 0
    return shown(count, RAW if RAW in options else "", call.state.page_language)


def _row(call: FunctionCall) -> CategoryRow | None:
    title = call.site.titles.try_parse(call.first, CATEGORY) if call.first else None
    if title is None or title.ns != CATEGORY:
        return None
    lookups = call.state.lookups
    if lookups.knows_category(title.dbkey) or call.state.expensive():
        return lookups.category(title.dbkey)
    return None


def numberingroup(call: FunctionCall) -> str:
    """Return the number of users in a group, whose name is converted to lower case."""
    count = count_in_group(call.first.lower(), call.state)
    return shown(count, call.arg(1), call.state.page_language)


DECLARATIONS = (
    ParserFunction("PAGESINCATEGORY", pagesincategory, ("PAGESINCAT",), case_sensitive=True),
    ParserFunction("NUMBERINGROUP", numberingroup, ("NUMINGROUP",), case_sensitive=True),
)
