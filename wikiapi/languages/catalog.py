"""The catalogue: all texts of the interface that do not come from pages of the wiki.

They come from folders of MediaWiki's texts, from wikiapi's own and those of plugins, which are in
English as a rule, and from CLDR. All have MediaWiki's names, or say under another name the same as
one of MediaWiki's texts. For each language that stands in for another, these three are asked in
this order before the next language.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path

from wikiapi.languages.codes import html_code, is_known_language
from wikiapi.languages.equivalents import FILE, Equivalent, read_equivalents
from wikiapi.languages.filling import Words, fill
from wikiapi.languages.folders import FolderTexts, with_spaces
from wikiapi.languages.language import ENGLISH
from wikiapi.languages.language import language as language_facts
from wikiapi.languages.localized import localized_texts
from wikiapi.languages.message import Message, Template

MAIN_PAGE = "mainpage"
"""The text that names the main page."""
_MAX_CACHED = 4096
_LONGEST_CACHED = 100
_NONE: Mapping[str, str] = {}


class MessageCatalog:
    """The texts of the interface, by language code and key."""

    def __init__(
        self,
        own: Mapping[str, Mapping[str, str]] = {},
        folders: FolderTexts | None = None,
        equivalents: Mapping[str, Equivalent] = {},
    ) -> None:
        """Use texts of wikiapi, given as ``{language: {key: text}}``, and those in folders."""
        self._own = own
        self.equivalents = equivalents
        """The messages of MediaWiki that say the same as wikiapi's, by the key of the latter."""
        self._folders = folders or FolderTexts()
        self._cached: dict[tuple[str, str], Template] = {}

    @classmethod
    def load(cls, folders: Iterable[Path], translated: Iterable[str | Path] = ()) -> MessageCatalog:
        """Return the catalogue of the texts in folders.

        Args:
            folders: folders of wikiapi and its plugins, with a ``<language>.json`` for each
                language; later ones override earlier ones. They are read now. ``mediawiki.json`` in
                them is described in :mod:`wikiapi.languages.equivalents`.
            translated: folders with MediaWiki's texts; earlier ones override later ones. A language
                is read when it is first needed.
        """
        own: dict[str, dict[str, str]] = {}
        equivalents: dict[str, Equivalent] = {}
        for folder in folders:
            equivalents.update(read_equivalents(folder))
            for path in sorted(folder.glob("*.json")):
                if path.name == FILE:
                    continue
                loaded = json.loads(path.read_text(encoding="utf-8"))
                texts = own.setdefault(path.stem, {})
                texts.update((key, with_spaces(text)) for key, text in loaded.items())
        return cls(own, FolderTexts(translated), equivalents)

    def preload(self, language: str) -> None:
        """Read the texts of a language, and of those that stand in for it, before they are needed.

        To be called before processes are forked, so that they share the texts.
        """
        self._folders.load(language_facts(language).chain)

    def is_translated(self, language: str) -> bool:
        """Return whether MediaWiki's texts are there in a language or one that stands in for it.

        It is true for English, which needs none, and for its varieties.
        """
        codes = {*language_facts(language).chain} - {ENGLISH}
        is_english = html_code(language).partition("-")[0] == ENGLISH
        return is_english or not codes.isdisjoint(self._folders.languages)

    def find(self, key: str, language: str) -> Template | None:
        """Return the template of a key in a language or its nearest fallback."""
        template = self._cached.get((key, language))
        if template is None and (template := self._nearest(key, language)) is not None:
            is_short = len(key) + len(language) <= _LONGEST_CACHED
            if is_short and len(self._cached) < _MAX_CACHED:
                self._cached[key, language] = template
        return template

    def _nearest(self, key: str, language: str) -> Template | None:
        *codes, last = language_facts(language).chain
        # The folders' English texts come after our own ones in the language.
        for some in (codes, [last]):
            for source in (self._translated, self._own_text):
                for code in some:
                    if (text := source(key, code)) is not None:
                        return Template(text, code)
        return None

    def _own_text(self, key: str, language: str) -> str | None:
        """Return a text that is not from a folder: ours, or that of CLDR or of the facts."""
        text = self._own.get(language, _NONE).get(key)
        if text is None and (language == ENGLISH or is_known_language(language)):
            text = localized_texts(language).get(key)
        if text is None and key == MAIN_PAGE:
            text = language_facts(language).main_page
        return text

    def _translated(self, key: str, language: str) -> str | None:
        """Return MediaWiki's text in a language for a key, or for the one that says the same."""
        text = self._folders.get(key, language)
        if text is None and (same := self.equivalents.get(key)) is not None:
            text = same.adapted(self._folders.get(same.key, language))
        return text

    def template(self, key: str, language: str) -> str | None:
        """Return the text of a key, with placeholders, in a language or its nearest fallback."""
        template = self.find(key, language)
        return template.text if template else None

    def keys(self, language: str = ENGLISH) -> Iterable[str]:
        """Return all keys that have a text in a language, without its fallbacks."""
        localized = localized_texts(language) if is_known_language(language) else _NONE
        own = self._own.get(language, _NONE)
        return {*self._folders.names(language), *own, *localized, MAIN_PAGE}

    def text(self, message: Message, language: str) -> str:
        """Return a message as plain text, or ``⧼key⧽`` if the key is unknown.

        Plural forms and numbers are in the language of the text, which is a fallback language if
        there is no translation. Other wikitext remains as it is.
        """
        template = self.find(message.key, language)
        if template is None:
            return unknown_text(message.key)
        return self.fill(template, message)

    def fill(self, template: Template, message: Message) -> str:
        """Return the text of a template with the parameters of a message."""
        text, language = template
        return fill(text, message.params, language, self.words(language))

    def words(self, language: str) -> Words:
        """Return the function that gives the texts of a language for lists and durations."""
        return partial(self.template, language=language)


def unknown_text(key: str) -> str:
    """Return what stands in place of a text that does not exist."""
    return f"\u29fc{key}\u29fd"
