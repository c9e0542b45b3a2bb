"""Messages of the API and of the parser, keyed as MediaWiki names them, and languages."""

from __future__ import annotations

from wikiapi.i18n.languages import direction, html_code
from wikiapi.i18n.message import ListOf, Message, MessageParam, Num, Plain, Raw, plain_list

__all__ = [
    "ListOf",
    "Message",
    "MessageParam",
    "Num",
    "Plain",
    "Raw",
    "direction",
    "html_code",
    "plain_list",
]
