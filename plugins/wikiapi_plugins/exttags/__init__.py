"""Extension tags, one to a file."""

from __future__ import annotations

from wikiapi_plugins.exttags import gallery, indicator, nowiki, pre

DECLARATIONS = (gallery.DECLARATION, indicator.DECLARATION, nowiki.DECLARATION, pre.DECLARATION)
