"""``action=help``: the same declarations as paraminfo's, as a page for people."""

from __future__ import annotations

from wikiapi_plugins.actions.help.module import Help

__all__ = ["Help"]
