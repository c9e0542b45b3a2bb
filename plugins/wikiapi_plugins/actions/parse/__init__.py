"""``action=parse``: rendering a page or a text as HTML, with data about the rendering."""

from __future__ import annotations

from wikiapi_plugins.actions.parse.module import Parse

__all__ = ["Parse"]
