"""``<inputbox>``: reads its lines and leaves the form to its type."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from wikiapi.wikitext.declarations import ExtensionTag
from wikiapi.wikitext.html.entities import escape_text
from wikiapi_plugins.extensions.inputbox.editing import comment_form, create_form, move_form
from wikiapi_plugins.extensions.inputbox.options import Options, read_options
from wikiapi_plugins.extensions.inputbox.searching import full_text_form, search_form, small_form

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from wikiapi.wikitext.expand.call import TagCall

_FORMS: Mapping[str, Callable[[Options, TagCall], str]] = MappingProxyType(
    {
        "create": create_form,
        "comment": create_form,
        "commenttitle": comment_form,
        "move": move_form,
        "search": search_form,
        "fulltext": full_text_form,
        "search2": small_form,
    }
)
_STYLES = ("ext.inputBox.styles", "codex-styles")


def inputbox(call: TagCall) -> str:
    """The form, or an error where there is none of its type."""
    state = call.state
    options = read_options(state.expand_text(call.inner or "", state.root_frame()), call)
    for name in _STYLES:
        state.output.module_styles.setdefault(name)
    state.output.modules.setdefault("ext.inputBox")
    form = _FORMS.get(options.type)
    if form is not None:
        return form(options, call)
    if options.type:
        return _error(state.message("inputbox-error-bad-type", options.type))
    return _error(state.message("inputbox-error-no-type"))


def _error(text: str) -> str:
    return f'<div><strong class="error">{escape_text(text)}</strong></div>'


DECLARATION = ExtensionTag("inputbox", inputbox)
