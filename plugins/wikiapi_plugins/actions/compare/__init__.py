"""``action=compare``: the difference between two revisions, pages or texts."""

from __future__ import annotations

from wikiapi_plugins.actions.compare.module import Compare

__all__ = ["Compare"]
