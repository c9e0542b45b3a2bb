"""``action=paraminfo``: a machine-readable description of the modules and their parameters."""

from __future__ import annotations

from wikiapi_plugins.actions.paraminfo.module import ParamInfo

__all__ = ["ParamInfo"]
