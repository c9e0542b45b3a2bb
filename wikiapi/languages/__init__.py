"""Messages of the API and the parser, under MediaWiki's keys, and facts about languages."""

from __future__ import annotations

from wikiapi.languages.casing import lower, lower_first, upper_first
from wikiapi.languages.catalog import MessageCatalog, unknown_text
from wikiapi.languages.codes import (
    autonym,
    cldr_locale,
    html_code,
    internal_code,
    is_existing_language,
    is_known_language,
    is_language_code,
    locale_of,
)
from wikiapi.languages.dates.timeformat import Unit, finest_unit, seconds_left
from wikiapi.languages.dates.usual import Kind
from wikiapi.languages.direction import direction, direction_mark
from wikiapi.languages.filling import fill, insert, render_param
from wikiapi.languages.grammar import decline
from wikiapi.languages.language import ENGLISH, Language, language
from wikiapi.languages.message import (
    Duration,
    ListOf,
    Message,
    MessageParam,
    Num,
    Plain,
    Raw,
    Template,
    plain_list,
)
from wikiapi.languages.numbers import (
    INFINITIES,
    MINUS,
    NOT_A_NUMBER,
    NUMERIC,
    declared_separators,
    format_exactly,
    format_number,
    format_without_groups,
    localize_digits,
    notation_of,
    parse_formatted,
)
from wikiapi.languages.plural import plural_form
from wikiapi.languages.variants import ConversionTable, LanguageConverter, Rules, Variant

__all__ = [
    "ENGLISH",
    "INFINITIES",
    "MINUS",
    "NOT_A_NUMBER",
    "NUMERIC",
    "ConversionTable",
    "Duration",
    "Kind",
    "Language",
    "LanguageConverter",
    "ListOf",
    "Message",
    "MessageCatalog",
    "MessageParam",
    "Num",
    "Plain",
    "Raw",
    "Rules",
    "Template",
    "Unit",
    "Variant",
    "autonym",
    "cldr_locale",
    "declared_separators",
    "decline",
    "direction",
    "direction_mark",
    "fill",
    "finest_unit",
    "format_exactly",
    "format_number",
    "format_without_groups",
    "html_code",
    "insert",
    "internal_code",
    "is_existing_language",
    "is_known_language",
    "is_language_code",
    "language",
    "locale_of",
    "localize_digits",
    "lower",
    "lower_first",
    "notation_of",
    "parse_formatted",
    "plain_list",
    "plural_form",
    "render_param",
    "seconds_left",
    "unknown_text",
    "upper_first",
]
