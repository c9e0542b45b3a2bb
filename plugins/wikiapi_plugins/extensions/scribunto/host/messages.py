"""The functions of ``mw.message``."""

from __future__ import annotations

from collections.abc import Sequence

from wikiapi.i18n import Message, MessageParam, Plain, Raw
from wikiapi.i18n.catalog import Template, fill
from wikiapi.i18n.numbers import format_number
from wikiapi.title import MEDIAWIKI
from wikiapi_plugins.extensions.scribunto.host.library import HostFunction, Library

_KEY, _NUMBER = "key", "num"


def _pairs(flat_pairs: Sequence[str]) -> list[tuple[str, str]]:
    return list(zip(flat_pairs[::2], flat_pairs[1::2], strict=True))


def _parameters(flat_pairs: Sequence[str], language: str) -> list[MessageParam]:
    return [
        Plain(format_number(value, language)) if kind == _NUMBER else Raw(value)
        for kind, value in _pairs(flat_pairs)
        if kind != _KEY
    ]


class MessageLibrary(Library):
    """Messages of the interface, and raw messages."""

    def text_of(self, key: str) -> str:
        """Return the text of a message without parameters, in the content language."""
        state = self.state
        return state.parser.messages.text(Message(key), state.site.language)

    def _find(
        self,
        language: str,
        stored: bool,
        raw: str | bool,
        flat_pairs: Sequence[str],
    ) -> Template | None:
        """Return the message text before its parameters are filled in, or ``None``."""
        if isinstance(raw, str):
            return Template(raw, language)
        keys = [value for kind, value in _pairs(flat_pairs) if kind == _KEY]
        for key in keys:
            text = self._stored(key, language) if stored else None
            if text:
                return Template(text, language)
            if found := self.state.parser.messages.find(key, language):
                return found
        return None

    def _stored(self, key: str, language: str) -> str | None:
        """Return the text of the page with which the wiki overrides a message, or ``None``."""
        state = self.state
        name = key if language == state.site.language else f"{key}/{language}"
        title = state.site.titles.try_parse(name, MEDIAWIKI)
        if title is None or title.ns != MEDIAWIKI:
            return None
        page = state.loader.get(title)
        return page.text if page else None

    def _language(self, language: str | bool) -> str:
        if isinstance(language, str):
            return language
        return self.state.options.language or self.site.language

    def plain(
        self,
        language: str | bool,
        stored: bool,
        raw: str | bool,
        *flat_pairs: str,
    ) -> str:
        """Return the text with its parameters filled in, or the key of an unknown message."""
        code = self._language(language)
        found = self._find(code, stored, raw, flat_pairs)
        if found is None:
            keys = [value for kind, value in _pairs(flat_pairs) if kind == _KEY]
            return f"\u29fc{keys[0] if keys else ''}\u29fd"
        return fill(found.text, tuple(_parameters(flat_pairs, found.language)), found.language)

    def exists(
        self,
        language: str | bool,
        stored: bool,
        raw: str | bool,
        *flat_pairs: str,
    ) -> bool:
        """Return whether the message exists."""
        return self._find(self._language(language), stored, raw, flat_pairs) is not None

    def is_blank(
        self,
        language: str | bool,
        stored: bool,
        raw: str | bool,
        *flat_pairs: str,
    ) -> bool:
        """Return whether the message does not exist or is empty."""
        found = self._find(self._language(language), stored, raw, flat_pairs)
        return found is None or not found.text

    def is_disabled(
        self,
        language: str | bool,
        stored: bool,
        raw: str | bool,
        *flat_pairs: str,
    ) -> bool:
        """Return whether the message does not exist, is empty or is ``-``."""
        found = self._find(self._language(language), stored, raw, flat_pairs)
        return found is None or found.text in ("", "-")

    functions = (
        HostFunction("message", text_of),
        HostFunction("message.plain", plain),
        HostFunction("message.exists", exists),
        HostFunction("message.isBlank", is_blank),
        HostFunction("message.isDisabled", is_disabled),
    )
