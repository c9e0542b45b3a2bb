"""The views of a page by their ``action``, in one module each."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from wikiapi.http import Reply
from wikiapi.title import Title
from wikiapi_plugins.web.reader.context import ViewContext
from wikiapi_plugins.web.reader.views.editing import show_edit, submit_edit
from wikiapi_plugins.web.reader.views.history import show_history
from wikiapi_plugins.web.reader.views.info import show_info
from wikiapi_plugins.web.reader.views.page import show_page, show_raw, show_render
from wikiapi_plugins.web.reader.views.preview import show_preview

ACTIONS: Mapping[str, Callable[[ViewContext, Title], Reply]] = {
    "edit": show_edit,
    "history": show_history,
    "info": show_info,
    "preview": show_preview,
    "raw": show_raw,
    "render": show_render,
    "submit": submit_edit,
    "view": show_page,
}
"""The views by action. Requests may write the action in upper case."""
