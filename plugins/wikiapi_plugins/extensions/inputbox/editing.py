"""Forms that lead to a change: to create, comment on and move pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.wikitext.html.ids import escape_id
from wikiapi_plugins.extensions.inputbox.elements import (
    centered,
    element,
    hidden,
    submit,
    text_field,
)

if TYPE_CHECKING:
    from wikiapi.wikitext.expand.call import TagCall
    from wikiapi_plugins.extensions.inputbox.options import Options

_BUTTON = "create"


def create_form(options: Options, call: TagCall) -> str:
    """A page to create, or a section to begin on it."""
    comments = options.type == "comment"
    label = "inputbox-postcomment" if comments else "inputbox-createarticle"
    parts = (
        _action(options),
        _preloads(options),
        hidden("summary", options.summary),
        hidden("nosummary", options.nosummary),
        hidden("prefix", options.prefix or None),
        hidden("minor", options.minor),
        hidden("section", "new" if comments else None),
        text_field(options, "title", "mw-inputbox-createbox", required=True),
        options.line_break,
        submit(options.buttonlabel or call.state.message(label), _BUTTON),
    )
    return _form("createbox", "createbox", parts, options, call)


def comment_form(options: Options, call: TagCall) -> str:
    """A section to begin on a given page."""
    parts = (
        _action(options),
        _preloads(options),
        text_field(options, "preloadtitle", "commentboxInput"),
        hidden("section", "new"),
        hidden("title", options.page),
        options.line_break,
        submit(
            options.buttonlabel or call.state.message("inputbox-postcommenttitle"),
            _BUTTON,
        ),
    )
    return _form("commentbox", "commentbox", parts, options, call)


def move_form(options: Options, call: TagCall) -> str:
    """A new name for a given page."""
    parts = (
        hidden("title", f"Special:MovePage/{options.page}"),
        hidden("wpReason", options.summary or ""),
        hidden("prefix", options.prefix),
        text_field(options, "wpNewTitle", "mw-moveboxInput"),
        options.line_break,
        submit(options.buttonlabel or call.state.message("inputbox-movearticle")),
    )
    return _form("movebox", "mw-movebox", parts, options, call)


def _action(options: Options) -> str:
    return hidden("veaction" if options.useve else "action", "edit")


def _preloads(options: Options) -> str:
    params = "".join(hidden("preloadparams[]", value) for value in options.preload_params)
    return hidden("preload", options.preload) + params + hidden("editintro", options.editintro)


def _form(name: str, css: str, parts: tuple[str, ...], options: Options, call: TagCall) -> str:
    attributes = {
        "name": name,
        "id": escape_id(options.id) or None,
        "class": f"{css} mw-inputbox-form",
        "action": f"{call.site.config.site.script_path}/index.php",
        "method": "get",
    }
    return centered(options, element("form", attributes, "".join(parts)))
