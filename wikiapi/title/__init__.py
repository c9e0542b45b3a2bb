"""Titles, namespaces and interwiki prefixes."""

from __future__ import annotations

from wikiapi.title.codec import TitleCodec
from wikiapi.title.interwiki import Interwiki
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
from wikiapi.title.references import decode_references
from wikiapi.title.title import Title

__all__ = [
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
    "Interwiki",
    "Namespace",
    "Title",
    "TitleCodec",
    "decode_references",
]
