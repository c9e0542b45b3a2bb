"""Output formats: one module per ``format=`` value."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wikiapi.api.format import Format

MODULES: tuple[type[Format], ...] = ()
