"""The functions of ``mw`` itself."""

from __future__ import annotations

from wikiapi.wikitext import ParseState
from wikiapi_plugins.extensions.scribunto.host.library import HostFunction, Library

_MOST_WARNINGS = 500


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
        if len(state.output.warnings) < _MOST_WARNINGS and self._warned <= most:
            state.budget.keep(text)
            state.output.warnings.append(state.messages.text("scribunto-lua-warning", "", text))

    functions = (
        HostFunction("expensive", Library.count_expensive),
        HostFunction("warn", warn),
    )
