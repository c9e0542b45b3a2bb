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
    """Whether a name, sub-page and all, is a special page; case does not count."""
    return _folded(text.partition("/")[0]) in _SHOWN


def shown_name(text: str) -> str:
    """A special page's name as it is shown, its sub-page kept; unknown names stay as they are."""
    name, slash, rest = text.partition("/")
    return f"{_SHOWN.get(_folded(name), name)}{slash}{rest}"


def _folded(name: str) -> str:
    return name.replace(" ", "").replace("_", "").lower()
