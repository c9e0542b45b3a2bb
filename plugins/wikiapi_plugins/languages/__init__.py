"""Converters of languages that have several variants."""

from __future__ import annotations

from wikiapi.languages import LanguageConverter
from wikiapi_plugins.languages import alphabets, chinese, inuktitut, serbian

DECLARATIONS: tuple[LanguageConverter, ...] = (
    *chinese.DECLARATIONS,
    *serbian.DECLARATIONS,
    *alphabets.DECLARATIONS,
    inuktitut.DECLARATION,
)
