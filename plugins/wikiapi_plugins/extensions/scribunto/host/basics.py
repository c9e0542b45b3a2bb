"""What ``mw`` itself asks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from wikiapi_plugins.extensions.scribunto.errors import Refusal

if TYPE_CHECKING:
    from wikiapi_plugins.extensions.scribunto.session import Session


TOO_MANY = "too many expensive function calls"
_MOST_WARNINGS = 500


def expensive(session: Session) -> None:
    """Count a call that costs a look-up."""
    if not session.state.expensive():
        raise Refusal(TOO_MANY)


def warn(session: Session, text: str) -> None:
    """Tell who edits the page as often as the module does, but not without end."""
    state = session.state
    session.warned += len(text)
    most = state.usage.ceilings.article_size
    if len(state.output.warnings) < _MOST_WARNINGS and session.warned <= most:
        state.budget.keep(text)
        state.output.warnings.append(state.message("scribunto-lua-warning", "", text))


OPERATIONS: Operations = MappingProxyType({"expensive": expensive, "warn": warn})


Operations = Mapping[str, Callable[..., Any]]
"""By name: a function of the session and of the arguments that Lua gave."""
