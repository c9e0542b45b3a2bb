"""Exceptions of plugins in a rendering: logged with page and plugin, and shown in the page."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from wikiapi.errors import BudgetExceeded, StoreError, StoreValueError
from wikiapi.registry import Registry
from wikiapi.wikitext.html.entities import escape_text

if TYPE_CHECKING:
    from wikiapi.wikitext.state import ParseState

logger = logging.getLogger(__name__)

_CATEGORY = "wikiapi-plugin-error-category"
_GOOD_FOR = 60
"""Seconds for which a page with an error may be cached: its reason may be gone by then."""


def plugin_failed(
    error: Exception, state: ParseState, shown: str, called: object, registry: Registry[Any]
) -> str:
    """Return the error that a page shows in place of what a plugin should have returned.

    The log names the page, the plugin and the reason, with a traceback when it is the first of its
    kind. ``record.failed`` is what a summary of many pages counts by.

    Args:
        error: the exception of the plugin.
        state: the rendering.
        shown: what was called, as it is written in wikitext.
        called: its declaration.
        registry: the registry that the declaration is from.

    Raises:
        BudgetExceeded, StoreError: these end the request, whoever noticed them.
    """
    if isinstance(error, BudgetExceeded | StoreError) and not isinstance(error, StoreValueError):
        raise error
    owners = (registry.owner(name) for name, one in registry.items() if one is called)
    plugin, kind = next(owners, "?"), type(error).__name__
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
    return state.messages.error("wikiapi-plugin-error", escape_text(shown), plugin, kind)
