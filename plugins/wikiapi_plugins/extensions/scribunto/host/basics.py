"""What ``mw`` itself asks."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from wikiapi_plugins.extensions.scribunto.errors import Refusal

if TYPE_CHECKING:
    from wikiapi_plugins.extensions.scribunto.host.operation import Operations
    from wikiapi_plugins.extensions.scribunto.session import Session

TOO_MANY = "too many expensive function calls"
_LONGEST_LOG = 100_000


def expensive(session: Session) -> None:
    """Count a call that costs a look-up."""
    if not session.state.expensive():
        raise Refusal(TOO_MANY)


def warn(session: Session, text: str) -> None:
    """Tell who edits the page."""
    session.state.warn("scribunto-lua-warning", "", text)


def log(session: Session, text: str) -> None:
    """Keep a line of what the module has to say, up to a length."""
    if sum(map(len, session.log)) < _LONGEST_LOG:
        session.log.append(text)


OPERATIONS: Operations = MappingProxyType({"expensive": expensive, "warn": warn, "log": log})
