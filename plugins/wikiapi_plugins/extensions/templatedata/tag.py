"""``<templatedata>``: JSON that describes the template whose page it is on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.wikitext.declarations import ExtensionTag
from wikiapi.wikitext.html.entities import escape_text
from wikiapi_plugins.extensions.templatedata.checks import Mistake
from wikiapi_plugins.extensions.templatedata.normal import encoded, in_language, parse
from wikiapi_plugins.extensions.templatedata.table import Table

if TYPE_CHECKING:
    from wikiapi.wikitext.expand.call import TagCall

PROPERTY = "templatedata"


def templatedata(call: TagCall) -> str:
    """A table of the parameters; what is wrong with the description in place of it."""
    state = call.state
    try:
        data = parse(call.inner or "", call.site.language)
    except Mistake as mistake:
        text = state.message(mistake.message.key, *mistake.message.params)
        shown = f"<p>{escape_text(text)}\n</p>"
        return f'<div class="mw-message-box-error mw-message-box">{shown}</div>'
    state.output.properties[PROPERTY] = encoded(data)
    state.output.module_styles.setdefault("ext.templateData")
    told = in_language(data, call.site.language)
    return Table(told, state.title.prefixed_text, state.message).html()


DECLARATION = ExtensionTag("templatedata", templatedata)
