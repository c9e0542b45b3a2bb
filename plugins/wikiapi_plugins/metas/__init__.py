"""Meta modules: one per ``meta=`` value."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wikiapi.api.query.module import QueryModule

MODULES: tuple[type[QueryModule], ...] = ()
