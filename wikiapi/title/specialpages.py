"""The names and aliases of MediaWiki's special pages."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib import resources
from types import MappingProxyType

from wikiapi.languages.language import Language


def _load() -> Mapping[str, tuple[str, ...]]:
    file = resources.files("wikiapi.title") / "specialpages.json"
    listed: dict[str, list[str]] = json.loads(file.read_text("utf-8"))
    return MappingProxyType({name: tuple(aliases) for name, aliases in listed.items()})


ALIASES = _load()
"""The English names of each special page by its canonical name; the first is the usual one."""


class SpecialPages:
    """The special pages of a wiki, by the names in its language, in English and canonical ones."""

    def __init__(self, language: Language) -> None:
        """Take the names of the language, and the English ones for pages that it does not name."""
        self.names: Mapping[str, tuple[str, ...]] = MappingProxyType(
            {name: language.special_pages.get(name, names) for name, names in ALIASES.items()}
        )
        """The names of each special page by its canonical name; the first is in addresses."""
        self._canonical = {
            _folded(alias): name
            for name in ALIASES
            for alias in (*reversed(self.names[name]), *ALIASES[name], name)
        }

    def __contains__(self, text: str) -> bool:
        """Return whether a name, with or without a subpage, is that of a special page."""
        return _folded(text.partition("/")[0]) in self._canonical

    def local_name(self, text: str) -> str:
        """Return the name of a special page in the language, with its subpage.

        Unknown names are unchanged.
        """
        name, slash, rest = text.partition("/")
        canonical = self._canonical.get(_folded(name))
        return f"{self.names[canonical][0]}{slash}{rest}" if canonical else text

    def english_name(self, text: str) -> str:
        """Return the usual English name of a special page without its subpage.

        Unknown names are unchanged.
        """
        name = text.partition("/")[0]
        canonical = self._canonical.get(_folded(name))
        return ALIASES[canonical][0] if canonical else name


def _folded(name: str) -> str:
    return name.replace(" ", "").replace("_", "").lower()
