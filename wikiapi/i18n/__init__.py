"""Messages of the API and the parser, under MediaWiki's keys, and facts about languages."""

from __future__ import annotations

from wikiapi.i18n.languages import direction, html_code
from wikiapi.i18n.linktrails import link_trail
from wikiapi.i18n.message import ListOf, Message, MessageParam, Num, Plain, Raw, plain_list
from wikiapi.i18n.variants import ConversionTable, LanguageConverter, Rules, Variant

__all__ = [
    "ConversionTable",
    "LanguageConverter",
    "ListOf",
    "Message",
    "MessageParam",
    "Num",
    "Plain",
    "Raw",
    "Rules",
    "Variant",
    "direction",
    "html_code",
    "link_trail",
    "plain_list",
]
