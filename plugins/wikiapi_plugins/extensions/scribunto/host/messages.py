"""What ``mw.message`` asks."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from wikiapi.i18n import Message, MessageParam, Plain, Raw
from wikiapi.i18n.catalog import fill
from wikiapi.title import MEDIAWIKI
from wikiapi.wikitext.numbers import format_number
from wikiapi_plugins.extensions.scribunto.host.basics import Operations

if TYPE_CHECKING:
    from wikiapi_plugins.extensions.scribunto.session import Session

_KEY, _RAW, _NUMBER = "key", "raw", "num"


def text_of(session: Session, key: str) -> str:
    """A text of the interface without parameters, in the content language."""
    state = session.state
    return state.parser.messages.text(Message(key), state.site.language)


def _found(
    session: Session,
    language: str,
    stored: bool,
    raw: str | bool,
    listed: Sequence[str],
) -> str | None:
    """The text before its parameters are put in, if there is one."""
    if isinstance(raw, str):
        return raw
    keys = [value for kind, value in _pairs(listed) if kind == _KEY]
    for key in keys:
        text = _stored(session, key, language) if stored else None
        text = text or session.state.parser.messages.template(key, language)
        if text is not None:
            return text
    return None


def _stored(session: Session, key: str, language: str) -> str | None:
    """A text that the wiki has on a page of its own."""
    state = session.state
    name = key if language == state.site.language else f"{key}/{language}"
    title = state.site.titles.try_parse(name, MEDIAWIKI)
    if title is None or title.ns != MEDIAWIKI:
        return None
    page = state.loader.get(title)
    return page.text if page else None


def _pairs(listed: Sequence[str]) -> list[tuple[str, str]]:
    return list(zip(listed[::2], listed[1::2], strict=True))


def _language(session: Session, language: str | bool) -> str:
    state = session.state
    return language if isinstance(language, str) else state.options.language or state.site.language


def plain(
    session: Session,
    language: str | bool,
    stored: bool,
    raw: str | bool,
    *listed: str,
) -> str:
    """The text with its parameters; one that is not known reads as its key."""
    code = _language(session, language)
    text = _found(session, code, stored, raw, listed)
    if text is None:
        keys = [value for kind, value in _pairs(listed) if kind == _KEY]
        return f"\u29fc{keys[0] if keys else ''}\u29fd"
    return fill(text, tuple(_parameters(listed, code)), code)


def _parameters(listed: Sequence[str], language: str) -> list[MessageParam]:
    return [
        Plain(format_number(value, language)) if kind == _NUMBER else Raw(value)
        for kind, value in _pairs(listed)
        if kind != _KEY
    ]


def exists(
    session: Session,
    language: str | bool,
    stored: bool,
    raw: str | bool,
    *listed: str,
) -> bool:
    """Whether there is such a text."""
    return _found(session, _language(session, language), stored, raw, listed) is not None


def is_blank(
    session: Session,
    language: str | bool,
    stored: bool,
    raw: str | bool,
    *listed: str,
) -> bool:
    """Whether there is no such text, or an empty one."""
    return not _found(session, _language(session, language), stored, raw, listed)


def is_disabled(
    session: Session,
    language: str | bool,
    stored: bool,
    raw: str | bool,
    *listed: str,
) -> bool:
    """Whether there is no such text, an empty one, or a mere ``-``."""
    return _found(session, _language(session, language), stored, raw, listed) in (None, "", "-")


OPERATIONS: Operations = MappingProxyType(
    {
        "message": text_of,
        "message.plain": plain,
        "message.exists": exists,
        "message.isBlank": is_blank,
        "message.isDisabled": is_disabled,
    }
)
