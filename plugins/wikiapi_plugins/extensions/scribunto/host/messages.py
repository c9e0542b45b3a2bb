"""The functions of ``mw.message``."""

from __future__ import annotations

from collections.abc import Sequence

from wikiapi.languages import (
    Plain,
    Raw,
    Template,
    format_number,
    insert,
    render_param,
)
from wikiapi_plugins.extensions.scribunto.host.library import HostFunction, Library

_KEY, _NUMBER = "key", "num"


def _pairs(flat_pairs: Sequence[str]) -> list[tuple[str, str]]:
    return list(zip(flat_pairs[::2], flat_pairs[1::2], strict=True))


class MessageLibrary(Library):
    """Messages of the interface, and raw messages."""

    def text_of(self, key: str) -> str:
        """Return the text of a message without parameters, in the content language."""
        return self.state.messages.text(key)

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
        find = self.state.messages.template if stored else self.site.messages.default
        return next(filter(None, (find(key, language) for key in keys)), None)

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
        template = self._find(code, stored, raw, flat_pairs)
        if template is None:
            keys = [value for kind, value in _pairs(flat_pairs) if kind == _KEY]
            return f"\u29fc{keys[0] if keys else ''}\u29fd"
        params = tuple(
            [
                Plain(format_number(value, template.language)) if kind == _NUMBER else Raw(value)
                for kind, value in _pairs(flat_pairs)
                if kind != _KEY
            ]
        )
        return insert(template.text, params, lambda param: render_param(param, template.language))

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
        template = self._find(self._language(language), stored, raw, flat_pairs)
        return template is None or not template.text

    def is_disabled(
        self,
        language: str | bool,
        stored: bool,
        raw: str | bool,
        *flat_pairs: str,
    ) -> bool:
        """Return whether the message does not exist, is empty or is ``-``."""
        template = self._find(self._language(language), stored, raw, flat_pairs)
        return template is None or template.text in ("", "-")

    functions = (
        HostFunction("message", text_of),
        HostFunction("message.plain", plain),
        HostFunction("message.exists", exists),
        HostFunction("message.isBlank", is_blank),
        HostFunction("message.isDisabled", is_disabled),
    )
