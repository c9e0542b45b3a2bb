"""Extension tags."""

from __future__ import annotations

from wikiapi_plugins.exttags import gallery, langconvert, nowiki

DECLARATIONS = (
    nowiki.DECLARATION,
    nowiki.PRE,
    gallery.DECLARATION,
    nowiki.INDICATOR,
    langconvert.DECLARATION,
)
