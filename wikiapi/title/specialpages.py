"""The special pages that MediaWiki has, and the names each goes by."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib import resources
from types import MappingProxyType


def _load() -> Mapping[str, tuple[str, ...]]:
    file = resources.files("wikiapi.title") / "specialpages.json"
    listed: dict[str, list[str]] = json.loads(file.read_text("utf-8"))
    return MappingProxyType({name: tuple(aliases) for name, aliases in listed.items()})


ALIASES = _load()
"""The names of each special page by its canonical one; the first is the one that is shown."""

SPECIAL_PAGES: frozenset[str] = frozenset(aliases[0] for aliases in ALIASES.values())
"""The names that are shown."""

_SHOWN = MappingProxyType(
    {alias.lower(): aliases[0] for name, aliases in ALIASES.items() for alias in (name, *aliases)}
)


def is_special_page(text: str) -> bool:
    """Return whether a name, possibly with a sub-page, is that of a special page."""
    return _folded(text.partition("/")[0]) in _SHOWN


def shown_name(text: str) -> str:
    """Return the shown name of a special page with its sub-page; unknown names are unchanged."""
    name, slash, rest = text.partition("/")
    return f"{_SHOWN.get(_folded(name), name)}{slash}{rest}"


def _folded(name: str) -> str:
    return name.replace(" ", "").replace("_", "").lower()
