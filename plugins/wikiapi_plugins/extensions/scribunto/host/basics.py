"""The functions of ``mw`` itself."""

from __future__ import annotations

from wikiapi.wikitext import ParseState
from wikiapi_plugins.extensions.scribunto.host.library import HostFunction, Library

_MAX_WARNINGS = 500
_WARNING = "scribunto-lua-warning"


class BasicLibrary(Library):
    """Expensive calls and warnings."""

    def __init__(self, state: ParseState) -> None:
        super().__init__(state)
        self._warned = 0
        """Characters of the warnings so far."""

    def warn(self, text: str) -> None:
        """Add a warning for editors, unless there are too many, or too long ones, already."""
        state = self.state
        self._warned += len(text)
        most = state.usage.ceilings.article_size
        count = len(state.output.warnings)
        if count < _MAX_WARNINGS and self._warned <= most:
            state.budget.keep(text)
            shown = state.messages.text(_WARNING, "", text)
            # Every one is told, so each has a key of its own.
            state.output.add_warning(f"{_WARNING} {count}", shown)

    functions = (
        HostFunction("expensive", Library.count_expensive),
        HostFunction("warn", warn),
    )
