"""Extension tags, one to a file."""

from __future__ import annotations

from wikiapi_plugins.exttags import gallery, indicator, langconvert, nowiki, pre

DECLARATIONS = (
    pre.DECLARATION,
    nowiki.DECLARATION,
    gallery.DECLARATION,
    indicator.DECLARATION,
    langconvert.DECLARATION,
)
