"""All messages of the interface, by key and language."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path

from wikiapi.i18n.catalog import MessageCatalog
from wikiapi.i18n.languages import is_known_language
from wikiapi.i18n.localized import localized_texts
from wikiapi.site import Site
from wikiapi_plugins.facts import facts

_SPACES = {"&#32;": " ", "&nbsp;": "\u00a0", "&#160;": "\u00a0", "&shy;": "\u00ad"}
_SPACE = re.compile("|".join(map(re.escape, _SPACES)))
_MAIN_PAGE = "mainpage"
_MOST_KNOWN = 20_000
"""Texts that are cached: those of some dozen languages."""
_PARSER = "wikiapi.wikitext.messages"


class InterfaceMessages:
    """Messages before a wiki changes them; made with ``site.derived``."""

    def __init__(self, site: Site) -> None:
        """Load the catalogues of the API, the parser and this package."""
        self._site = site
        self._known: dict[tuple[str, str], str | None] = {}
        folders = (_folder(_PARSER), _folder(__package__ or ""))
        self._catalogs = (site.messages, *(MessageCatalog.load([folder]) for folder in folders))
        keys = set[str]().union(*(catalog.keys() for catalog in self._catalogs))
        self.keys = tuple(sorted({*keys, *localized_texts("en"), _MAIN_PAGE}))
        """Every key that has a text."""

    def get(self, key: str, language: str) -> str | None:
        """Return the text of a key with its placeholders, if it has one."""
        if key == _MAIN_PAGE:
            return self._site.main_page.prefixed_text
        if (key, language) in self._known:
            return self._known[key, language]
        text = self._found(key, language)
        if text is not None and len(self._known) < _MOST_KNOWN:
            self._known[key, language] = text
        return text

    def _found(self, key: str, language: str) -> str | None:
        texts = (catalog.template(key, language) for catalog in self._catalogs)
        found = next((text for text in texts if text is not None), None)
        if found is None:
            return localized_texts(_nearest_known(language)).get(key)
        return with_spaces(found)


def _nearest_known(language: str) -> str:
    """Return a language, or for one that CLDR does not know the first fallback that it knows."""
    codes = (language, *facts("languagefallbacks").get(language, ()))
    return next((code for code in codes if is_known_language(code)), language)


def with_spaces(text: str) -> str:
    """Return a text with real spaces, which message files write as character references."""
    return _SPACE.sub(lambda match: _SPACES[match[0]], text)


def _folder(package: str) -> Path:
    return Path(str(resources.files(package)))
