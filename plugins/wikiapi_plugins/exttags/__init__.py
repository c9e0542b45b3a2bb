"""Extension tags, one to a file."""

from __future__ import annotations

from wikiapi_plugins.exttags import indicator, nowiki, pre

DECLARATIONS = (indicator.DECLARATION, nowiki.DECLARATION, pre.DECLARATION)
