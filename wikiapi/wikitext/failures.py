"""Exceptions of plugins in a rendering: logged with page and plugin, and shown in the page."""

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
_GOOD_FOR = 60
"""Seconds for which a page with an error may be cached: its reason may be gone by then."""


def plugin_failed(
    error: Exception, state: ParseState, shown: str, called: object, registry: Registry[Any]
) -> str:
    """Return the error that a page shows in place of what a plugin should have returned.

    Args:
        error: the exception of the plugin.
        state: the rendering.
        shown: what was called, as it is written in wikitext.
        called: its declaration.
        registry: the registry that the declaration is from.

    Raises:
        BudgetExceeded, StoreError: these end the request, whoever noticed them.
    """
    owners = (registry.owner(name) for name, one in registry.items() if one is called)
    plugin = next(owners, "?")
    note_failure(error, state, shown, plugin)
    return state.messages.error(_MESSAGE, escape_text(shown), plugin, type(error).__name__)


def hook_failed(error: Exception, state: ParseState, hook: str, plugin: str) -> None:
    """Warn whoever edits the page that a plugin's hook has failed.

    Raises:
        BudgetExceeded, StoreError: these end the request, whoever noticed them.
    """
    note_failure(error, state, hook, plugin)
    state.notices.warn(_MESSAGE, hook, plugin, type(error).__name__)


def note_failure(error: Exception, state: ParseState, shown: str, plugin: str) -> None:
    """Log an exception of a plugin, and note that the page has an error.

    The log names the page, the plugin and the reason, with a traceback when it is the first of its
    kind. ``record.failed`` is what a summary of many pages counts by.

    Raises:
        BudgetExceeded, StoreError: these end the request, whoever noticed them.
    """
    if ends_request(error):
        raise error
    kind = type(error).__name__
    failed = f"{shown} of plugin {plugin}"
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
    state.output.expire_after(_GOOD_FOR)


def ends_request(error: Exception) -> bool:
    """Return whether an exception is no failure of a plugin: a limit, or the store's."""
    return isinstance(error, BudgetExceeded | StoreError) and not isinstance(error, StoreValueError)
