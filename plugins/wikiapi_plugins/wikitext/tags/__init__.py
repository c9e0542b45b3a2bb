"""MediaWiki's built-in extension tags."""

from __future__ import annotations

from wikiapi_plugins.wikitext.tags import gallery, langconvert, nowiki

DECLARATIONS = (
    nowiki.DECLARATION,
    nowiki.PRE,
    gallery.DECLARATION,
    nowiki.INDICATOR,
    langconvert.DECLARATION,
)
