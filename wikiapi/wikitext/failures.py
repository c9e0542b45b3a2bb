"""Handling of exceptions that plugins raise during a rendering.

They are logged with the names of the page and the plugin, and shown in the page.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from wikiapi.errors import BudgetExceeded, StoreError, StoreValueError
from wikiapi.wikitext.html.entities import escape_text

if TYPE_CHECKING:
    from wikiapi.registry import Registry
    from wikiapi.wikitext.state import ParseState

logger = logging.getLogger(__name__)

_CATEGORY = "wikiapi-plugin-error-category"
_MESSAGE = "wikiapi-plugin-error"
_CACHE_SECONDS = 60
"""Seconds for which a page with an error may be cached, since the error may be temporary."""


def plugin_failed(
    error: Exception, state: ParseState, call: str, called: object, registry: Registry[Any]
) -> str:
    """Log a plugin's exception, and return the error that the page shows in place of its result.

    Args:
        error: the exception.
        state: the rendering.
        call: what was called, as it is written in wikitext.
        called: its declaration.
        registry: the registry that contains the declaration.

    Raises:
        BudgetExceeded, StoreError: ``error`` is one of these, which end the request.
    """
    owners = (registry.owner(name) for name, one in registry.items() if one is called)
    plugin = next(owners, "?")
    note_failure(error, state, call, plugin)
    return state.messages.error(_MESSAGE, escape_text(call), plugin, type(error).__name__)


def hook_failed(error: Exception, state: ParseState, hook: str, plugin: str) -> None:
    """Log an exception of a plugin's hook, and add a warning for editors of the page.

    Raises:
        BudgetExceeded, StoreError: ``error`` is one of these, which end the request.
    """
    note_failure(error, state, hook, plugin)
    state.notices.warn(_MESSAGE, hook, plugin, type(error).__name__)


def note_failure(error: Exception, state: ParseState, call: str, plugin: str) -> None:
    """Log an exception of a plugin, add a tracking category, and limit how long the page is cached.

    The log entry names the page, the plugin and the exception; the first of each kind includes a
    traceback. The attribute ``failed`` of the log record identifies the plugin and what was called,
    so that a run over many pages can count failures.

    Raises:
        BudgetExceeded, StoreError: ``error`` is one of these, which end the request.
    """
    if ends_request(error):
        raise error
    kind = type(error).__name__
    failed = f"{call} of plugin {plugin}"
    is_new = (failed, kind) not in state.parser.failures
    state.parser.failures.add((failed, kind))
    logger.error(
        "page %r: %s failed: %s: %s",
        state.title.prefixed_text,
        failed,
        kind,
        error,
        exc_info=error if is_new else None,
        extra={"failed": failed},
    )
    state.notices.add_tracking_category(_CATEGORY)
    state.output.expire_after(_CACHE_SECONDS)


def ends_request(error: Exception) -> bool:
    """Return whether an exception ends the request: an exceeded limit or a failure of the store."""
    return isinstance(error, BudgetExceeded | StoreError) and not isinstance(error, StoreValueError)
