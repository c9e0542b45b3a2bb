"""``action=paraminfo``: what modules there are, and what parameters they take."""

from __future__ import annotations

from wikiapi_plugins.actions.paraminfo.module import ParamInfo

__all__ = ["ParamInfo"]
