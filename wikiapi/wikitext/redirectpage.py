"""How a redirect shows when it is rendered itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.wikitext.html.entities import escape_attribute, escape_text
from wikiapi.wikitext.inline.linkholders import known_link, page_link

if TYPE_CHECKING:
    from wikiapi.title.title import Title
    from wikiapi.wikitext.state import ParseState


def redirect_html(target: Title, state: ParseState) -> str:
    """The note that says where a redirect leads."""
    shown = escape_text(target.full_text)
    if target.interwiki or not target.dbkey:
        link = known_link(target, shown, state, "extiw" if target.interwiki else "")
        state.add_interwiki_link(target)
    else:
        state.add_link(target)
        state.look_up_links()
        link = page_link(target, shown, state)
    address = escape_attribute(state.site.page_path(target))
    return (
        f'<div class="redirectMsg"><p>{state.message("redirectto")}</p>'
        f'<ul class="redirectText"><li>{link}</li></ul></div>'
        f'<link rel="mw:PageProp/redirect" href="{address}">'
    )
