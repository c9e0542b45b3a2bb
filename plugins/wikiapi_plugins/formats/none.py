"""``format=none``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.api.format import Format, Rendered
from wikiapi_plugins.formats.dataformat import disposition

if TYPE_CHECKING:
    from wikiapi.api.result import Obj


class NoneFormat(Format):
    """Output nothing."""

    name = "none"

    def render(self, root: Obj) -> Rendered:
        """An empty body: the headers tell all."""
        return Rendered(b"", "text/plain; charset=utf-8", [disposition("txt")])
