"""The names and aliases of MediaWiki's special pages."""

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
"""The names of each special page by its canonical name; the first is the displayed name."""

SPECIAL_PAGES: frozenset[str] = frozenset(aliases[0] for aliases in ALIASES.values())
"""The displayed names of all special pages."""

_SHOWN = MappingProxyType(
    {alias.lower(): aliases[0] for name, aliases in ALIASES.items() for alias in (name, *aliases)}
)


def is_special_page(text: str) -> bool:
    """Return whether a name, with or without a subpage, is that of a special page."""
    return _folded(text.partition("/")[0]) in _SHOWN


def shown_name(text: str) -> str:
    """Return the displayed name of a special page with its subpage; unknown names are unchanged."""
    name, slash, rest = text.partition("/")
    return f"{_SHOWN.get(_folded(name), name)}{slash}{rest}"


def _folded(name: str) -> str:
    return name.replace(" ", "").replace("_", "").lower()
