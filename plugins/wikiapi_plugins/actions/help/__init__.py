"""``action=help``: the declarations of the modules, as a page for human readers."""

from __future__ import annotations

from wikiapi_plugins.actions.help.module import Help

__all__ = ["Help"]
