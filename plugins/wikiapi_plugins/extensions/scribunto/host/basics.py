"""The functions of ``mw`` itself."""

from __future__ import annotations

from wikiapi.languages import Plain
from wikiapi.wikitext import ParseState
from wikiapi_plugins.extensions.scribunto.host.library import HostFunction, Library

_MAX_WARNINGS = 500
_WARNING = "scribunto-lua-warning"


class BasicLibrary(Library):
    """Warnings, and the counter of expensive calls."""

    def __init__(self, state: ParseState) -> None:
        super().__init__(state)
        self._warnings_length = 0
        """The total length of the warnings so far, in characters."""

    def warn(self, text: str) -> None:
        """Add a warning for editors, unless their number or total length is too large."""
        state = self.state
        self._warnings_length += len(text)
        max_length = state.usage.ceilings.article_size
        count = len(state.output.warnings)
        if count < _MAX_WARNINGS and self._warnings_length <= max_length:
            state.budget.keep(text)
            warning = state.messages.text(_WARNING, Plain(text))
            # Each warning has its own key, so that none replaces another.
            state.output.add_warning(f"{_WARNING} {count}", warning)

    functions = (
        HostFunction("expensive", Library.count_expensive),
        HostFunction("warn", warn),
    )
