"""The functions of ``mw.message``."""

from __future__ import annotations

from collections.abc import Sequence

from wikiapi.i18n import Message, MessageParam, Plain, Raw
from wikiapi.i18n.catalog import Template, fill
from wikiapi.i18n.numbers import format_number
from wikiapi.title import MEDIAWIKI
from wikiapi_plugins.extensions.scribunto.host.library import HostFunction, Library

_KEY, _NUMBER = "key", "num"


def _pairs(listed: Sequence[str]) -> list[tuple[str, str]]:
    return list(zip(listed[::2], listed[1::2], strict=True))


def _parameters(listed: Sequence[str], language: str) -> list[MessageParam]:
    return [
        Plain(format_number(value, language)) if kind == _NUMBER else Raw(value)
        for kind, value in _pairs(listed)
        if kind != _KEY
    ]


class MessageLibrary(Library):
    """Messages of the interface, and raw ones."""

    def text_of(self, key: str) -> str:
        """Return a message without parameters, in the content language."""
        state = self.state
        return state.parser.messages.text(Message(key), state.site.language)

    def _found(
        self,
        language: str,
        stored: bool,
        raw: str | bool,
        listed: Sequence[str],
    ) -> Template | None:
        """Return the text before its parameters are put in, if there is one."""
        if isinstance(raw, str):
            return Template(raw, language)
        keys = [value for kind, value in _pairs(listed) if kind == _KEY]
        for key in keys:
            text = self._stored(key, language) if stored else None
            if text:
                return Template(text, language)
            if found := self.state.parser.messages.find(key, language):
                return found
        return None

    def _stored(self, key: str, language: str) -> str | None:
        """Return the text of the wiki's page of a message."""
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
        *listed: str,
    ) -> str:
        """Return the text with its parameters; that of an unknown message is its key."""
        code = self._language(language)
        found = self._found(code, stored, raw, listed)
        if found is None:
            keys = [value for kind, value in _pairs(listed) if kind == _KEY]
            return f"\u29fc{keys[0] if keys else ''}\u29fd"
        return fill(found.text, tuple(_parameters(listed, found.language)), found.language)

    def exists(
        self,
        language: str | bool,
        stored: bool,
        raw: str | bool,
        *listed: str,
    ) -> bool:
        """Return whether there is such a message."""
        return self._found(self._language(language), stored, raw, listed) is not None

    def is_blank(
        self,
        language: str | bool,
        stored: bool,
        raw: str | bool,
        *listed: str,
    ) -> bool:
        """Return whether there is no such message, or an empty one."""
        found = self._found(self._language(language), stored, raw, listed)
        return found is None or not found.text

    def is_disabled(
        self,
        language: str | bool,
        stored: bool,
        raw: str | bool,
        *listed: str,
    ) -> bool:
        """Return whether there is no such message, an empty one, or a mere ``-``."""
        found = self._found(self._language(language), stored, raw, listed)
        return found is None or found.text in ("", "-")

    functions = (
        HostFunction("message", text_of),
        HostFunction("message.plain", plain),
        HostFunction("message.exists", exists),
        HostFunction("message.isBlank", is_blank),
        HostFunction("message.isDisabled", is_disabled),
    )
