"""The views of a page by the ``action`` that names them: one per file."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from wikiapi.http import Reply
from wikiapi.title import Title
from wikiapi_plugins.web.reader.context import ViewContext
from wikiapi_plugins.web.reader.views.history import show_history
from wikiapi_plugins.web.reader.views.page import show_page
from wikiapi_plugins.web.reader.views.source import show_raw, show_source

ACTIONS: Mapping[str, Callable[[ViewContext, Title], Reply]] = {
    "edit": show_source,
    "history": show_history,
    "raw": show_raw,
    "submit": show_source,
    "view": show_page,
}
"""Any other action shows the page."""
