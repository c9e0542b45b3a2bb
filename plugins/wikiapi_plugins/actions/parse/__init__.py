"""``action=parse``: wikitext or a page to HTML and the facts about it."""

from __future__ import annotations

from wikiapi_plugins.actions.parse.module import Parse

__all__ = ["Parse"]
