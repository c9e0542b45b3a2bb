"""All interface messages, by key and language."""

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
_MAX_CACHED = 20_000
"""The number of texts that are cached, which is enough for several dozen languages."""
_PARSER = "wikiapi.wikitext.messages"


class InterfaceMessages:
    """The built-in messages, which pages of the wiki may replace. Created with ``site.derived``."""

    def __init__(self, site: Site) -> None:
        """Load the catalogues of the API, the parser and this package."""
        self._site = site
        self._known: dict[tuple[str, str], str | None] = {}
        folders = (_folder(_PARSER), _folder(__package__ or ""))
        self._catalogs = (site.messages, *(MessageCatalog.load([folder]) for folder in folders))
        keys = set[str]().union(*(catalog.keys() for catalog in self._catalogs))
        self.keys = tuple(sorted({*keys, *localized_texts("en"), _MAIN_PAGE}))
        """The keys of all messages."""

    def get(self, key: str, language: str) -> str | None:
        """Return the text of a message with its placeholders, or ``None``."""
        if key == _MAIN_PAGE:
            return self._site.main_page.prefixed_text
        if (key, language) in self._known:
            return self._known[key, language]
        text = self._found(key, language)
        if text is not None and len(self._known) < _MAX_CACHED:
            self._known[key, language] = text
        return text

    def _found(self, key: str, language: str) -> str | None:
        texts = (catalog.template(key, language) for catalog in self._catalogs)
        found = next((text for text in texts if text is not None), None)
        if found is None:
            return localized_texts(_nearest_known(language)).get(key)
        return with_spaces(found)


def _nearest_known(language: str) -> str:
    """Return the first of a language and its fallbacks that CLDR knows, or else the language."""
    codes = (language, *facts("languagefallbacks").get(language, ()))
    return next((code for code in codes if is_known_language(code)), language)


def with_spaces(text: str) -> str:
    """Return a text with character references for spaces replaced by the characters."""
    return _SPACE.sub(lambda match: _SPACES[match[0]], text)


def _folder(package: str) -> Path:
    return Path(str(resources.files(package)))
