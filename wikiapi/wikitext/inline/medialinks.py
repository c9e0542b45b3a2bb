"""Links to files: the file itself (``Media:``) and, until images are rendered, its page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.wikitext.html.attributes import encode_attribute
from wikiapi.wikitext.html.entities import escape_text
from wikiapi.wikitext.inline.linkholders import known_link

if TYPE_CHECKING:
    from wikiapi.title.title import Title
    from wikiapi.wikitext.state import ParseState


def media_link(title: Title, label: str, state: ParseState) -> str:
    """A link to the file, or to where it could be uploaded."""
    state.output.images.setdefault(title.dbkey)
    file = state.file(title)
    css = "internal" if file else "new"
    name = file.title.text if file else title.text
    url = file.current.url if file else ""
    if not file:
        config = state.site.config.site
        url = f"{config.script_path}/index.php?title=Special:Upload&wpDestFile={title.dbkey}"
    tip = encode_attribute(name)
    return f'<a href="{encode_attribute(url)}" class="{css}" title="{tip}">{label}</a>'


def file_link(title: Title, label: str, state: ParseState) -> str:
    """A file in the text: noted as used, shown as a link to its page."""
    state.output.images.setdefault(title.dbkey)
    shown = label.rpartition("|")[2] or escape_text(title.prefixed_text)
    return known_link(title, shown, state)
