"""Titles, namespaces and interwiki prefixes."""

from __future__ import annotations

from wikiapi.title.addresses import spell_address
from wikiapi.title.codec import TitleCodec
from wikiapi.title.contentmodel import WIKITEXT, default_format, default_model
from wikiapi.title.interwiki import Interwiki, is_linkable
from wikiapi.title.namespaces import (
    CATEGORY,
    FILE,
    MAIN,
    MEDIA,
    MEDIAWIKI,
    MODULE,
    SPECIAL,
    TEMPLATE,
    USER,
    USER_TALK,
    Namespace,
)
from wikiapi.title.pagelanguage import page_language
from wikiapi.title.percent import quote_title
from wikiapi.title.references import decode_references
from wikiapi.title.specialpages import ALIASES
from wikiapi.title.subpages import resolve_subpage
from wikiapi.title.title import Title
from wikiapi.title.variants import stored_variants

__all__ = [
    "ALIASES",
    "CATEGORY",
    "FILE",
    "MAIN",
    "MEDIA",
    "MEDIAWIKI",
    "MODULE",
    "SPECIAL",
    "TEMPLATE",
    "USER",
    "USER_TALK",
    "WIKITEXT",
    "Interwiki",
    "Namespace",
    "Title",
    "TitleCodec",
    "decode_references",
    "default_format",
    "default_model",
    "is_linkable",
    "page_language",
    "quote_title",
    "resolve_subpage",
    "spell_address",
    "stored_variants",
]
