"""``{{PAGESINCATEGORY:name|kind|R}}`` and ``{{NUMBERINGROUP:group}}``: numbers of members."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from wikiapi.store import CategoryRow
from wikiapi.title import CATEGORY
from wikiapi.wikitext import FunctionCall, ParserFunction
from wikiapi_plugins.wikitext.variables.statistics import RAW, count_in_group, count_text, counted

_KINDS: Mapping[str, Callable[[CategoryRow], int]] = MappingProxyType(
    {
        "pagesincategory_all": lambda row: row.pages,
        "pagesincategory_pages": lambda row: row.pages - row.subcats - row.files,
        "pagesincategory_subcats": lambda row: row.subcats,
        "pagesincategory_files": lambda row: row.files,
    }
)


def pagesincategory(call: FunctionCall) -> str:
    """Return the number of members of a category, by default of all kinds.

    The kind and the option ``R`` may be given in either order.
    """
    options = (call.arg(1), call.arg(2))
    words = call.site.magic_words
    kinds = (kind for option in options if (kind := words.which(_KINDS, option)))
    kind = next(kinds, "pagesincategory_all")
    title = call.site.titles.try_parse(call.first, CATEGORY) if call.first else None
    name = title.dbkey if title is not None and title.ns == CATEGORY else None
    row, lookups = None, call.state.lookups
    if name is not None and (lookups.knows_category(name) or call.state.expensive()):
        row = lookups.category(name)
    count = max(_KINDS[kind](row), 0) if row else 0
    is_raw = any(words.matches(RAW, option) for option in options)
    return count_text(count, call.state, is_raw=is_raw)


def numberingroup(call: FunctionCall) -> str:
    """Return the number of users in a group, whose name is converted to lower case."""
    count = count_in_group(call.first.lower(), call.state)
    return counted(count, call.arg(1), call.state)


DECLARATIONS = (
    ParserFunction("PAGESINCATEGORY", pagesincategory, ("PAGESINCAT",), case_sensitive=True),
    ParserFunction("NUMBERINGROUP", numberingroup, ("NUMINGROUP",), case_sensitive=True),
)
